package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"norn/internal/notify"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
)

// requires runs a handler if this norn has the feature: notifications or chats. Changes there
// aren't entries of the table, so the seat's write limit is charged here.
func requires(does func(*visit) bool, next handler) handler {
	return func(w http.ResponseWriter, r *http.Request, v *visit) error {
		if !does(v) {
			return notFound(w, r, v)
		}
		if r.Method == http.MethodPost {
			if err := v.seat.Spend(); err != nil {
				return err
			}
		}
		return next(w, r, v)
	}
}

func callsPeople(v *visit) bool { return v.s.Notifier != nil }

func callsForMasters(v *visit) bool { return callsPeople(v) && v.Master() }

// getCalled shows the page of a seat's notifications.
func getCalled(w http.ResponseWriter, r *http.Request, v *visit) error {
	return showCalled(w, r, v, http.StatusOK, html.Notifications{})
}

func showCalled(w http.ResponseWriter, r *http.Request, v *visit, status int, c html.Notifications) error {
	c.Name, c.Zone = v.View.Name, v.Zone.String()
	if v.s.Notifier != nil {
		browsers, quiet, err := v.s.Notifier.Of(v.View.ID, v.View.Seat)
		if err != nil {
			return unkept(err)
		}
		c.May, c.Browsers, c.From, c.To, c.Master = true, browsers, quiet.From, quiet.To, v.Master()
		if quiet.Zone != "" {
			c.Zone, c.Kept = quiet.Zone, true
		}
	}
	if c.Master {
		hooks, err := v.s.Notifier.Hooks(v.View.ID)
		if err != nil {
			return unkept(err)
		}
		for _, hook := range hooks {
			h := html.Hook{ID: hook.ID, Format: hook.Format, Failing: !hook.Failing.IsZero(), Off: hook.Off}
			if at, err := url.Parse(hook.Address); err == nil {
				h.Place = at.Host // the rest of the address may be secret
			}
			if hook.Format == notify.JSON {
				h.Secret = hook.Secret
			}
			c.Hooks = append(c.Hooks, h)
		}
	}
	f := frame(r, v, "web.called.head", "/called")
	return show(w, r, v, status, html.NotificationsPage(f, v.Page, c))
}

// unkept returns the error of an unavailable store.
func unkept(err error) error {
	return &refusal.UnavailableError{Err: err}
}

// getCallKey returns the key with which a browser subscribes at its push service.
func getCallKey(w http.ResponseWriter, _ *http.Request, v *visit) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(v.s.Notifier.Key())) // the client may have disconnected
	return nil
}

// postCalled subscribes a browser to the seat's notifications.
func postCalled(w http.ResponseWriter, r *http.Request, v *visit) error {
	waits, err := v.s.Host.Waits(r.Context(), v.View.ID)
	if err != nil {
		return err
	}
	site := v.s.OriginOf(r)
	if !strings.HasPrefix(site, "https://") {
		site = "norn@" + r.Host // a contact for the push service, which requires an address of some kind
	}
	sub := notify.Subscription{
		Seat: v.View.Seat, Pass: passOf(waits, v.View.Seat), Endpoint: r.PostForm.Get("endpoint"),
		P256dh: r.PostForm.Get("p256dh"), Auth: r.PostForm.Get("auth"),
		Lang: string(v.Lang()), Path: v.s.Base.Of(v.To("")), Site: site,
	}
	return answerPress(w, r, v, v.s.Notifier.Subscribe(r.Context(), v.View.ID, sub), html.Notifications{})
}

func passOf(w view.Waits, seat string) string {
	for _, s := range w.Seats {
		if s.ID == seat {
			return s.Pass
		}
	}
	return ""
}

// postUncalled unsubscribes one browser or all.
func postUncalled(w http.ResponseWriter, r *http.Request, v *visit) error {
	return answerPress(w, r, v, v.s.Notifier.Unsubscribe(r.Context(), v.View.ID, v.View.Seat,
		r.PostForm.Get("endpoint")), html.Notifications{})
}

// postQuiet sets the hours without notifications.
func postQuiet(w http.ResponseWriter, r *http.Request, v *visit) error {
	q := notify.Quiet{From: r.PostForm.Get("from"), To: r.PostForm.Get("to"), Zone: r.PostForm.Get("zone")}
	if q.From == "" && q.To == "" {
		q = notify.Quiet{}
	}
	if q.Check() != nil {
		return showCalled(w, r, v, http.StatusUnprocessableEntity,
			html.Notifications{Problem: v.Say("web.called.wrong-hours")})
	}
	return answerPress(w, r, v, v.s.Notifier.SetQuiet(r.Context(), v.View.ID, v.View.Seat, q), html.Notifications{})
}

// postHook adds a webhook for the table.
func postHook(w http.ResponseWriter, r *http.Request, v *visit) error {
	address := strings.TrimSpace(r.PostForm.Get("address"))
	_, err := v.s.Notifier.AddHook(r.Context(), v.View.ID, address, r.PostForm.Get("format"))
	return answerPress(w, r, v, err, html.Notifications{Address: address})
}

// postUnhook removes a webhook.
func postUnhook(w http.ResponseWriter, r *http.Request, v *visit) error {
	return answerPress(w, r, v, v.s.Notifier.DropHook(r.Context(), v.View.ID, r.PostForm.Get("id")),
		html.Notifications{})
}

// answerPress responds to a form: the script gets a status and a text, others the page.
func answerPress(w http.ResponseWriter, r *http.Request, v *visit, err error, c html.Notifications) error {
	byScript := r.Header.Get("Norn-Script") != ""
	var wrong *notify.ForbiddenError
	switch {
	case err == nil && byScript:
		w.WriteHeader(http.StatusNoContent)
		return nil
	case err == nil:
		return redirect(w, r, v.To("/called"))
	case errors.As(err, &wrong), errors.Is(err, notify.ErrBroken):
		c.Problem = v.Say("web.called.wrong-address")
	case errors.Is(err, notify.ErrMany):
		c.Problem = v.Say("web.called.full")
	default:
		return unkept(err)
	}
	if byScript {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(c.Problem))
		return nil
	}
	return showCalled(w, r, v, http.StatusUnprocessableEntity, c)
}
