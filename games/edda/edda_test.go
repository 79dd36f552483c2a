package edda_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/edda"
)

func TestEddaPassesAllGameChecks(t *testing.T) { gametest.Run(t, edda.New()) }
