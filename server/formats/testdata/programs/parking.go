// Package parking knows what a stay in a car park costs.
package parking

import (
	"errors"

	"example.org/parking/tariff"
)

// Fee is what a stay costs.
func Fee(minutes int, hasPermit bool) (int, error) {
	if hasPermit {
		return 0, nil
	}
	if minutes <= 15 {
		return 0, nil
	}
	hours := (minutes + 59) / 60
	if hours > 24 {
		return 0, errors.New("a stay is a day at most")
	}
	return tariff.Price(hours), nil
}

// Nothing has no statement.
func Nothing() {}
