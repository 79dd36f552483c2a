package first

import (
	"testing"

	"norn/game/gametest"
)

func TestTheGamePassesTheBattery(t *testing.T) { gametest.Run(t, New()) }
