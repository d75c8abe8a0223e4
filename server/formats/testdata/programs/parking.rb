# What a stay in a car park costs.
class Parking
  HOUR = 150

  def fee(minutes, permit: false)
    return 0 if permit
    return 0 if minutes <= 15

    hours = (minutes / 60.0).ceil
    if hours > 24
      raise ArgumentError, "a stay is a day at most"
    end
    hours * HOUR
  end

  def unused
    fee(0)
  end
end
