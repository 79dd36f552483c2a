package main

import (
	"context"
	"errors"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"norn/journal/postgres/pgtest"
)

// ground holds the services that several norns share: a PostgreSQL that syncs each commit, and a
// NATS server in this process.
type ground struct {
	database *pgtest.Server
	journal  string // address of the database
	nats     *natsserver.Server
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
	g.nats, err = natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoLog: true,
		NoSigs: true,
	})
	if err != nil {
		return nil, errors.Join(err, g.clear())
	}
	g.nats.Start()
	if !g.nats.ReadyForConnections(10 * time.Second) {
		return nil, errors.Join(errors.New("the NATS server doesn't start"), g.clear())
	}
	return g, nil
}

// flags returns norn's flags for these services.
func (g *ground) flags() []string {
	return []string{"--journal", g.journal, "--relay", g.nats.ClientURL()}
}

// cpu returns the CPU time of PostgreSQL; g may be nil.
func (g *ground) cpu() time.Duration {
	if g == nil {
		return 0
	}
	return cpuOfAll(g.database.Process())
}

// clear stops both.
func (g *ground) clear() error {
	if g.nats != nil {
		g.nats.Shutdown()
		g.nats.WaitForShutdown()
	}
	return g.database.Stop()
}
