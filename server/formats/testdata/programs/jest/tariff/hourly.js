class Hourly {
  of(hours) {
    return hours * 150;
  }
}

module.exports = { hourly: (hours) => new Hourly().of(hours), Hourly };
