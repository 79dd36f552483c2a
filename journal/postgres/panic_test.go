package postgres

import (
	"context"
	"testing"
	"time"

	"norn/internal/rescue"
	"norn/journal"
	"norn/journal/queue"
)

// A panic in the writer refuses its batch and ends nothing: the next batch is tried, too.
func TestPanicInTheWriterRefusesItsBatchAndEndsNothing(t *testing.T) {
	w := &writer{queue: queue.New(), done: make(chan struct{})} // no config: pgx panics as it connects
	go w.run()
	before := rescue.Counts()["journal"]
	for range 2 {
		entry := journal.Entry{Time: time.Unix(0, 0).UTC()}
		if _, err := w.queue.Append(context.Background(), "t", 0, []journal.Entry{entry}); err == nil {
			t.Error("was acknowledged")
		}
	}
	w.queue.Close()
	<-w.done
	if n := rescue.Counts()["journal"] - before; n != 2 {
		t.Errorf("%d panics counted", n)
	}
}
