<?php
require_once __DIR__ . '/../src/Tariff/Rounded.php';
require_once __DIR__ . '/../src/Tariff/Hourly.php';
require_once __DIR__ . '/../src/Parking.php';
require_once __DIR__ . '/../src/label.php';

use PHPUnit\Framework\TestCase;

final class ParkingTest extends TestCase
{
    public function testAStayIsPaidByTheHour(): void
    {
        $parking = new CarPark\Parking(new CarPark\Tariff\Hourly());
        $this->assertSame(300, $parking->fee(90));
        $this->assertSame('3.0', CarPark\label(300));
    }
}
