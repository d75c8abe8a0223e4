/* What a stay in a car park costs. */
#include <stdio.h>

static int fee(int minutes, int has_permit)
{
    if (has_permit)
        return 0;
    if (minutes <= 15)
        return 0;
    int hours = (minutes + 59) / 60;
    if (hours > 24) {
        fprintf(stderr, "a stay is a day at most\n");
        return -1;
    }
    return hours * 150;
}

static int unused(void)
{
    return fee(10, 0);
}

int main(int argc, char **argv)
{
    int (*spare)(void) = unused;
    if (argc > 1 && argv[1][0] == 'u')
        return spare();
    printf("%d\n", fee(90, 0));
    return 0;
}
