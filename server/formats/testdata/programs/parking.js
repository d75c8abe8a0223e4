// What a stay in a car park costs.
function fee(minutes, hasPermit = false) {
  if (hasPermit) return 0;
  if (minutes <= 15) {
    return 0;
  }
  const hours = Math.ceil(minutes / 60);
  if (hours > 24) {
    throw new RangeError("a stay is a day at most");
  }
  return hours * 150;
}

const label = (amount) =>
  amount === 0 ? "free" : `${Math.floor(amount / 100)}.${amount % 100}`;

function unused() {
  return label(0);
}

module.exports = { fee, label, unused };

if (require.main === module) {
  console.log(label(fee(90)));
}
