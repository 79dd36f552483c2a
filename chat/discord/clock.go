package discord

import (
	"slices"
	"sync"
	"time"
)

// clock estimates the difference between this machine's clock and Discord's, from the youngest of
// recent interactions, to recognise those that are really late.
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

// lateAfter is the age at which an interaction may have been given up.
const lateAfter = 2 * time.Second
