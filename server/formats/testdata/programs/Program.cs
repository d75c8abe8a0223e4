using System;

namespace CarPark
{
    public static class Program
    {
        public static void Main()
        {
            Console.WriteLine(Parking.Ticket(90));
        }
    }
}
