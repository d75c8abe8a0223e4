// Package tariff has the prices.
package tariff

const hour = 150

// Price is that of so many hours.
func Price(hours int) int {
	if hours > 10 {
		return 10 * hour
	}
	price := hours * hour
	return price
}
