package main

import (
	"context"
	"errors"
	"time"

	"norn/journal/postgres/pgtest"
)

// ground is the service that several norns share: a PostgreSQL that syncs each commit.
type ground struct {
	database *pgtest.Server
	journal  string // address of the database
}

func lay() (g *ground, err error) {
	g = &ground{}
	if g.database, err = pgtest.Start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if g.journal, err = g.database.Database(ctx); err != nil {
		return nil, errors.Join(err, g.clear())
	}
	return g, nil
}

// flags returns norn's flags for it.
func (g *ground) flags() []string { return []string{"--journal", g.journal} }

// cpu returns the CPU time of PostgreSQL; g may be nil.
func (g *ground) cpu() time.Duration {
	if g == nil {
		return 0
	}
	return cpuOfAll(g.database.Process())
}

// clear stops it.
func (g *ground) clear() error { return g.database.Stop() }
