package schema_test

import (
	"testing"
	"testing/fstest"

	"norn/journal/schema"
)

func TestNewestIsTheHighestStepNumber(t *testing.T) {
	file := &fstest.MapFile{}
	for _, c := range []struct {
		name  string
		steps fstest.MapFS
		want  int
	}{
		{"nothing", fstest.MapFS{}, 0},
		{"one", fstest.MapFS{"001_entries.sql": file}, 1},
		{"by number, not by name", fstest.MapFS{"9_b.sql": file, "10_a.sql": file, "notes.txt": file}, 10},
	} {
		if got, err := schema.Newest(c.steps); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
		}
	}
	if got, err := schema.Newest(fstest.MapFS{"entries.sql": file}); err == nil {
		t.Errorf("a step without a number is taken for %d", got)
	}
}
