package car.park

case class Receipt(amount: Int) {
  def text: String = if (amount == 0) "free" else (amount / 100).toString
}
