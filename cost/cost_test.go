package cost_test

import (
	"testing"

	"norn/cost"
)

func TestCPUGrowsWithWork(t *testing.T) {
	began, n := cost.CPU(t), 0
	for cost.CPU(t) == began {
		n++
	}
	if n < 0 {
		t.Error("it went back")
	}
}
