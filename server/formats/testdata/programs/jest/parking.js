const { hourly } = require("./tariff/hourly");

function fee(minutes, hasPermit = false) {
  if (hasPermit || minutes <= 15) return 0;
  const hours = Math.ceil(minutes / 60);
  if (hours > 24) {
    throw new RangeError("a stay is a day at most");
  }
  return hourly(hours);
}

const unused = () => fee(0);

module.exports = { fee, unused };
