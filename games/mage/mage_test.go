package mage_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/mage"
)

func TestMagePassesTheBattery(t *testing.T) { gametest.Run(t, mage.New()) }
