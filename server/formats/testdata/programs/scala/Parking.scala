package car.park

/** What a stay in a car park costs. */
object Parking {
  def fee(minutes: Int, hasPermit: Boolean): Int =
    if (hasPermit || minutes <= 15) 0
    else hours(minutes) * 150

  private def hours(minutes: Int): Int = (minutes + 59) / 60

  def unused: String = Receipt(0).text
}
