use strict;
use warnings;

# What a stay in a car park costs.
sub fee {
    my ($minutes, $has_permit) = @_;
    return 0 if $has_permit || $minutes <= 15;
    my $hours = int(($minutes + 59) / 60);
    die "a stay is a day at most\n" if $hours > 24;
    return $hours * 150;
}

sub unused {
    return fee(10);
}

print fee(90), "\n";
