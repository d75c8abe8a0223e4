package parking

import "testing"

func TestFee(t *testing.T) {
	if fee, err := Fee(90, false); err != nil || fee != 300 {
		t.Fatal(fee, err)
	}
	Nothing()
}
