<?php
namespace CarPark;

function label(int $amount): string
{
    if ($amount === 0) {
        return 'free';
    }
    return intdiv($amount, 100) . '.' . $amount % 100;
}
