using System;

namespace CarPark
{
    /// <summary>What a stay in a car park costs.</summary>
    public static class Parking
    {
        public static int Fee(int minutes, bool hasPermit = false)
        {
            if (hasPermit || minutes <= 15)
            {
                return 0;
            }
            int hours = (minutes + 59) / 60;
            if (hours > 24)
            {
                throw new ArgumentException("a stay is a day at most");
            }
            return hours * 150;
        }

        public static string Ticket(int minutes)
        {
            int amount = Fee(minutes);
            return amount == 0 ? "free" : string.Format("{0}.{1:00}", amount / 100, amount % 100);
        }

        public static string Unused() { return Ticket(1); }
    }
}
