package godbound_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/godbound"
)

func TestGodboundPassesAllGameChecks(t *testing.T) { gametest.Run(t, godbound.New()) }
