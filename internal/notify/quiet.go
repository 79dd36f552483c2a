package notify

import (
	"errors"
	"time"
)

// Quiet is the daily period in which a seat isn't notified, "22:30" to "08:00", in a time zone. The
// zero Quiet is none.
type Quiet struct {
	From string `json:"from"`
	To   string `json:"to"`
	Zone string `json:"zone"`
}

// Check returns an error if the times or the zone are invalid.
func (q Quiet) Check() error {
	if q.From == "" && q.To == "" {
		return nil
	}
	_, from := time.Parse("15:04", q.From)
	_, to := time.Parse("15:04", q.To)
	_, zone := time.LoadLocation(q.Zone)
	return errors.Join(from, to, zone)
}

// Until returns the end of the quiet period that contains a moment, or false if none does.
func (q Quiet) Until(now time.Time) (time.Time, bool) {
	if q.From == q.To || q.Check() != nil {
		return time.Time{}, false
	}
	zone, _ := time.LoadLocation(q.Zone)
	now = now.In(zone)
	at := func(clock string, day int) time.Time {
		c, _ := time.Parse("15:04", clock)
		return time.Date(now.Year(), now.Month(), now.Day()+day, c.Hour(), c.Minute(), 0, 0, zone)
	}
	for day := -1; day <= 0; day++ { // yesterday's may not have ended
		from, to := at(q.From, day), at(q.To, day)
		if !to.After(from) {
			to = at(q.To, day+1)
		}
		if !now.Before(from) && now.Before(to) {
			return to, true
		}
	}
	return time.Time{}, false
}
