package discord

import (
	"slices"
	"sync"
	"time"
)

// clock tells what comes late from what seems to, since this machine's clock and Discord's differ:
// the youngest of what came of late says by how much.
type clock struct {
	mu   sync.Mutex
	ages []time.Duration
}

const clockAges = 16

func (c *clock) isLate(age time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ages = append(c.ages, age)
	c.ages = c.ages[max(0, len(c.ages)-clockAges):]
	return age-slices.Min(c.ages) > lateAfter
}

// an interaction that is as much older than others when it comes may have been given up
const lateAfter = 2 * time.Second
