package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"norn/journal"
	"norn/journal/postgres"
)

// Reading must not create anything, and must work without what a replica can't do.
func TestOpenReadOnlyCreatesNothing(t *testing.T) {
	address := database(t)
	var none *postgres.NoneError
	if _, err := postgres.OpenReadOnly(t.Context(), address); !errors.As(err, &none) {
		t.Fatalf("got error %v, want *NoneError", err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var there bool
	if err := conn.QueryRow(t.Context(), "SELECT to_regnamespace('norn') IS NOT NULL").Scan(&there); err != nil ||
		there {
		t.Errorf("to look has made a schema (%v)", err)
	}
	j := mustOpen(t, address)
	if _, err := j.Append(t.Context(), "t", 0, keyed("a"), keyed("b")); err != nil {
		t.Fatal(err)
	}
	// as on a replica
	if _, err := conn.Exec(t.Context(),
		"ALTER DATABASE "+conn.Config().Database+" SET default_transaction_read_only = on"); err != nil {
		t.Fatal(err)
	}
	looked, err := postgres.OpenReadOnly(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer looked.Close()
	entries, err := looked.Read(t.Context(), "t", 1, 0)
	if err != nil || len(entries) != 1 || entries[0].Key != "b" {
		t.Errorf("read %v, %v", entries, err)
	}
	heads, err := looked.Tables(t.Context())
	if err != nil || len(heads) != 1 || heads[0] != (journal.Head{Table: "t", Seq: 2, Time: noon}) {
		t.Errorf("heads %v, %v", heads, err)
	}
	if err := looked.Close(); err != nil {
		t.Error(err)
	}
	if _, err := looked.Tables(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
