package godbound_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/godbound"
)

func TestGodbound(t *testing.T) { gametest.Run(t, godbound.New()) }
