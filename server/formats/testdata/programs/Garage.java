package car.park;

/** A car park with several tariffs: classes within a class, and a second one in the same file. */
public class Garage {
    interface Tariff {
        int hour();
    }

    static class Night implements Tariff {
        public int hour() {
            return 50;
        }
    }

    private final Tariff tariff;

    Garage(Tariff tariff) {
        this.tariff = tariff;
    }

    int fee(int minutes, boolean hasPermit) {
        if (hasPermit || minutes <= 15) return 0;
        switch (minutes / 600) {
            case 0: return (minutes + 59) / 60 * tariff.hour();
            case 1: return 10 * tariff.hour();
            default: throw new IllegalArgumentException("a stay is twenty hours at most");
        }
    }

    public static void main(String[] args) {
        Garage day = new Garage(new Tariff() {
            public int hour() {
                return 150;
            }
        });
        System.out.println(Receipt.of(day.fee(90, false)));
    }
}

class Receipt {
    static String of(int amount) {
        return amount == 0 ? "free" : amount / 100 + "." + amount % 100;
    }
}
