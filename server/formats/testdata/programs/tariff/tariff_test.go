package tariff

import "testing"

func TestLongStay(t *testing.T) {
	if Price(12) != 1500 {
		t.Fail()
	}
}
