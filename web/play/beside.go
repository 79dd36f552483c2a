package play

import (
	"bytes"
	"context"
	"maps"
	"slices"
)

// A page beside the table's own, such as that of pictures or of a session, follows nothing but whether an X-card lies on the table. Who
// has it open isn't taken for looking at the table.

// besides is what such a page follows.
var besides = slices.DeleteFunc(slices.Clone(everybodys), func(p piece) bool { return p.to != "#x-card" })

// hear finds what such a page is to be told, nil for nothing.
func (f *follower) hear(ctx context.Context, came arrived) (*event, *standing, error) {
	from, v := f.at, f.visit
	to := &standing{told: maps.Clone(from.told)}
	var b bytes.Buffer
	err := v.still(ctx, func() error {
		if err := v.see(ctx); err != nil {
			return err
		}
		changed, _ := changes(&v.Look, from)
		for _, p := range besides {
			if _, known := from.told[p.to]; known && changed&p.of == 0 {
				continue
			}
			if err := to.told.tell(ctx, &b, &v.Look, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	to.reached(&v.Look)
	if b.Len() == 0 {
		return nil, to, nil
	}
	return framed(upTo(came.seq)+"event: view\n", b.Bytes()), to, nil
}
