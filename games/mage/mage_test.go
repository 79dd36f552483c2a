package mage_test

import (
	"testing"

	"norn/game/gametest"
	"norn/games/mage"
)

func TestMage(t *testing.T) { gametest.Run(t, mage.New()) }
