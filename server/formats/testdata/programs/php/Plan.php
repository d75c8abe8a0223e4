<?php
namespace CarPark;

interface Plan
{
    public function spaces(): int;
}
