package eclipse_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/eclipse"
)

func TestEclipsePassesAllGameChecks(t *testing.T) { gametest.Run(t, eclipse.New()) }
