<?php
namespace CarPark\Tariff;

trait Rounded
{
    private function round(int $amount): int
    {
        return intdiv($amount, 10) * 10;
    }
}
