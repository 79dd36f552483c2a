package spire_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/spire"
)

func TestSpirePassesAllGameChecks(t *testing.T) { gametest.Run(t, spire.New()) }
