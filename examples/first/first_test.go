package first

import (
	"testing"

	"norn/game/gametest"
)

func TestGame(t *testing.T) { gametest.Run(t, New()) }
