package page

import (
	"errors"
	"net/http"

	"norn/chat/bridge"
	"norn/game"
	"norn/web/html"
)

func knowsChats(v *visit) bool { return v.s.Chats != nil }

// getChats shows the page of chats that are linked to the table and the seat.
func getChats(w http.ResponseWriter, r *http.Request, v *visit) error {
	return showChats(w, r, v, http.StatusOK, html.Chats{})
}

func showChats(w http.ResponseWriter, r *http.Request, v *visit, status int, c html.Chats) error {
	c.Name, c.Master, c.Watches = v.View.Name, v.Master(), v.View.Role == game.Spectator
	for _, name := range v.s.Chats.Platforms() {
		p := html.Choosing{Name: bridge.PlatformName(name), ID: name}
		if c.Code != "" && !c.Whole {
			p.Link = v.s.Chats.Join(name, c.Code)
		}
		c.Platforms = append(c.Platforms, p)
	}
	for _, t := range v.s.Chats.Of(v.View.ID) {
		if !v.Master() && t.Seat != v.View.Seat {
			continue
		}
		c.Ties = append(c.Ties, html.ChatTie{
			ID: t.ID, Platform: bridge.PlatformName(t.Platform), Name: t.Name, Seat: v.View.SeatName(t.Seat), Whole: t.Whole,
			Since: v.DateOf(t.Since), Ended: t.Ended != "",
		})
	}
	f := frame(r, v, "web.chats.head", "/chats")
	return show(w, r, v, status, html.ChatsPage(f, v.Page, c))
}

// postChatCode makes a code that links a chat: for the seat's person, or by a game master for a
// channel.
func postChatCode(w http.ResponseWriter, r *http.Request, v *visit) error {
	whole := r.PostForm.Get(html.Own+"whole") != ""
	if whole && !v.Master() {
		return notFound(w, r, v)
	}
	code, err := v.s.Chats.Code(r.Context(), v.View.ID, v.secret(), whole, v.Lang(), v.s.OriginOf(r)+v.To(""))
	if errors.Is(err, bridge.ErrMany) {
		return showChats(w, r, v, http.StatusUnprocessableEntity, html.Chats{Problem: v.Say("web.chats.full")})
	}
	if err != nil {
		return unkept(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	return showChats(w, r, v, http.StatusOK, html.Chats{Code: code, Whole: whole})
}

// postUnchat unlinks a chat.
func postUnchat(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.s.Chats.End(r.Context(), v.seat, r.PostForm.Get("id")); err != nil {
		return unkept(err)
	}
	return redirect(w, r, v.To("/chats"))
}
