package car.park;

/** What a stay in a car park costs. */
public class Parking {
    interface Tariff {
        int hour();
    }

    static int fee(int minutes, boolean hasPermit, Tariff tariff) {
        if (hasPermit || minutes <= 15) {
            return 0;
        }
        int hours = (minutes + 59) / 60;
        if (hours > 24) {
            throw new IllegalArgumentException("a stay is a day at most");
        }
        return hours * tariff.hour();
    }

    static String unused() {
        return "€".repeat(fee(10, false, () -> 1));
    }

    public static void main(String[] args) {
        System.out.println(fee(90, false, () -> 150));
    }
}
