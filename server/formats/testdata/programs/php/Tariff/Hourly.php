<?php
namespace CarPark\Tariff;

class Hourly
{
    use Rounded;

    public function of(int $hours): int
    {
        return $this->round($hours * 150);
    }
}
