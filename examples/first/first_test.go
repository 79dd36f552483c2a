package first

import (
	"testing"

	"norn/game/gametest"
)

func TestFirstGamePassesAllGameChecks(t *testing.T) { gametest.Run(t, New()) }
