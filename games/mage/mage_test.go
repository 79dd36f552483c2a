package mage_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/mage"
)

func TestMagePassesAllGameChecks(t *testing.T) { gametest.Run(t, mage.New()) }
