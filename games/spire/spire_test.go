package spire_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/spire"
)

func TestSpirePassesTheBattery(t *testing.T) { gametest.Run(t, spire.New()) }
