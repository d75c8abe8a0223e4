<?php
namespace CarPark;

use CarPark\Tariff\Hourly;

final class Parking
{
    private Hourly $tariff;

    public function __construct(Hourly $tariff)
    {
        $this->tariff = $tariff;
    }

    public function fee(int $minutes, bool $hasPermit = false): int
    {
        if ($hasPermit || $minutes <= 15) {
            return 0;
        }
        $hours = intdiv($minutes + 59, 60);
        if ($hours > 24) {
            throw new \RangeException('a stay is a day at most');
        }
        return $this->tariff->of($hours);
    }

    public static function unused(): string
    {
        return label(0);
    }
}
