package secrets

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

var (
	seeds = flag.Uint64("seeds", 1, "random games of each game")
	steps = flag.Int("steps", 8, "what is done in a random game besides making each move once")
)

// Random games with all seats following: nobody is sent what they may not see, and each move of
// each game is made. A game depends only on its seed.
func TestNobodyIsSentASecret(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			for seed := range *seeds {
				play(t, g, seed+1)
			}
		})
	}
}

// A view that shows too much is detected.
func TestViewThatShowsTooMuchIsDetected(t *testing.T) {
	for _, g := range games.All() {
		if g.ID == "mage" { // it hides no sheets
			continue
		}
		open := *g
		open.View.Sheet = func(_ game.Viewer, settings any, who string, sheet any) any {
			return g.View.ShowSheet(game.Viewer{Role: game.Master}, settings, who, sheet)
		}
		p := gather(t, g, &open, 1)
		for _, name := range []string{"anna", "watcher"} {
			if !slices.ContainsFunc(p.leaks, func(l leak) bool {
				return l.guest == name && strings.HasSuffix(l.mark.what, "'s notes")
			}) {
				t.Errorf("%s: %s was sent the game master's notes, and nobody noticed", g.ID, name)
			}
		}
	}
}

// party is a table with all kinds of seats.
type party struct {
	*hall
	maker
	game   *game.Game
	id     string
	gm     *guest
	seated []*guest // they have a seat all the time
	all    []*guest
	scenes map[string][]scene
	cast   int             // number of characters so far
	noted  map[string]bool // those whose hidden texts are marked
	secret []string        // moves that only the game master sees
	unseen []string        // characters that only the game master sees
	n      int
}

// openTo lists the texts of a hidden sheet that players see.
var openTo = map[string][]string{
	"eclipse": {"morph"}, "godbound": {"bindings"}, "edda": {"conditions"},
	"spire": {"ending"},
}

// gather creates a table of a game with all seats; served is the server's version of the game. All
// randomness follows from the seed.
func gather(t *testing.T, g, served *game.Game, seed uint64) *party {
	h := openHall(t, served, seed)
	created, err := h.host.Create(t.Context(),
		request.NewTable{
			Game: g.ID, Name: h.ledger.text("the table's name", "gm", "anna", "bohdan", "watcher", "gone"),
			Lang: lang.En,
		})
	must(t, err)
	p := &party{hall: h, game: g, id: created.ID, scenes: scenes(t, g), noted: map[string]bool{}}
	p.maker = maker{Rand: rand.New(rand.NewPCG(seed, 7)), text: func() string { return "words" }}
	h.ledger.keyText("the link of the game master", created.Seat.Secret, "gm")
	p.gm = h.comes("gm", p.id, created.Seat.ID, created.Seat.Secret)
	p.seated = []*guest{p.gm}
	for _, name := range []string{"anna", "bohdan", "watcher", "gone"} {
		role := map[string]game.Role{"watcher": game.Spectator}[name]
		if role == "" {
			role = game.Player
		}
		invited, err := table.Do(t.Context(), p.gm.seat, act.AddSeat, act.SeatRequest{Name: name, Role: string(role)},
			"")
		must(t, err)
		h.ledger.keyText("the link of "+name, invited.Secret, "gm", name)
		p.seated = append(p.seated, h.comes(name, p.id, invited.ID, invited.Secret))
	}
	wrong := strings.Repeat("x", len(created.Seat.Secret))
	p.all = append(slices.Clone(p.seated), h.comes("stranger", p.id, "", wrong), h.comes("nobody", p.id, "", ""))
	for _, each := range p.all {
		t.Cleanup(each.listens())
	}
	h.kept(p.id)
	p.comes()
	p.looks()
	return p
}

// play plays one random game.
func play(t *testing.T, g *game.Game, seed uint64) {
	p := gather(t, g, g, seed)
	h, gone := p.hall, p.seated[len(p.seated)-1]

	_, err := table.Do(t.Context(), p.gm.seat, act.RevokeSeat, act.SeatNamed{Seat: gone.id}, "")
	must(t, err)
	p.seated = p.seated[:len(p.seated)-1]
	_, err = table.Do(t.Context(), p.gm.seat, act.AddSeat,
		act.SeatRequest{
			Name: h.ledger.text("what came after somebody was gone", "gm", "anna", "bohdan", "watcher"),
			Role: string(game.Spectator),
		}, "")
	must(t, err)
	h.kept(p.id)

	p.behind()
	for _, at := range p.Perm(len(g.Moves)) {
		m := &g.Moves[at]
		if m.AtTable && !m.ByOffer && !p.makes(m, 6) && !p.stages(m) {
			t.Errorf("%s was never made", m.ID)
		}
		p.answers()
		p.offers()
		p.answers()
	}
	for range *steps {
		p.step()
	}
	p.answers()
	p.behind()
	p.looks()
	p.pries()
	if file, err := p.gm.exported(); err != nil {
		t.Errorf("export: %v", err)
	} else {
		for _, m := range h.ledger.found("file", file) { // no file has links, nor secrets that weren't revealed
			if strings.HasPrefix(m.what, "the link") || strings.HasPrefix(m.what, "seal") {
				t.Errorf("the exported file has %s", m.what)
			}
		}
		if _, err := verify.File(games.All(), spoken(), strings.NewReader(file)); err != nil {
			t.Errorf("what was really played doesn't fit: %v", err)
		}
	}
	h.tight()
	if h.again == 0 {
		t.Error("nobody's file made a move again")
	}
	t.Logf("seed %d: %d entries, sum %s", seed, h.length(p.id), h.sum(p.id))
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bytes["anna"] < 100_000 || h.bytes["watcher"] < 100_000 || h.bytes["nobody"] == 0 {
		t.Errorf("too little was heard: %v", h.bytes)
	}
}

// looks lets everybody read everything they can.
func (p *party) looks() {
	for _, g := range p.all {
		var now *view.View
		if g.seat != nil {
			now, _ = g.seat.View(p.t.Context())
		}
		g.looks(now)
	}
}

// comes adds the demo's cast, and an unusual character of each kind, and writes marked texts
// wherever players can't look.
func (p *party) comes() {
	for i, c := range p.game.Demo(spoken().In(lang.En)).Cast {
		kind, _ := p.game.Kind(c.Kind)
		n := act.CharacterRequest{Name: c.Name, Kind: c.Kind, Sheet: kind.Form.JSON(c.Sheet)}
		if kind.Player {
			n.Owner = p.seated[1+i%2].id
		}
		must(p.t, p.adds(n))
	}
	for i, kind := range p.game.Kinds {
		n := act.CharacterRequest{Name: kind.ID + strconv.Itoa(i), Kind: kind.ID}
		if kind.Player {
			n.Owner = p.seated[1+i%2].id
		}
		for range 30 { // completely random values are seldom valid
			data, err := json.Marshal(p.fill(kind.Form.Fields))
			must(p.t, err)
			n.Sheet = data
			if p.adds(n) == nil {
				break
			}
		}
	}
	for _, kind := range p.game.Kinds {
		p.prepares(kind)
	}
	p.notes(nil)
}

// prepares adds a character of a kind that only the game master sees.
func (p *party) prepares(kind game.Kind) {
	name := p.ledger.text("hidden "+kind.ID, "gm")
	got := p.gm.api("POST", "/characters", map[string]any{"name": name, "kind": kind.ID, "hidden": true})
	if got.status != http.StatusCreated {
		p.t.Fatalf("%s: %s", kind.ID, got.body)
	}
	var added struct{ ID string }
	must(p.t, json.Unmarshal(got.body, &added))
	p.ledger.keyText("the id of a hidden one, "+added.ID, added.ID, "gm")
	p.unseen = append(p.unseen, added.ID)
}

func (p *party) adds(n act.CharacterRequest) error {
	_, err := table.Do(p.t.Context(), p.gm.seat, act.AddCharacter, n, "")
	if err == nil {
		p.cast++
	}
	return err
}

// notes fills texts of sheets that players don't see with new marks: of all sheets that have none
// yet, and of the given ones.
func (p *party) notes(again []string) {
	now, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	for _, c := range now.Characters {
		kind, _ := p.game.Kind(c.Kind)
		if kind.Player || !p.hides(kind) || c.Busy != "" || p.noted[c.ID] && !slices.Contains(again, c.ID) {
			continue
		}
		p.noted[c.ID] = true
		patch := map[string]any{}
		for _, f := range kind.Form.Fields {
			if (f.Kind == form.KindText || f.Kind == form.KindProse) && !slices.Contains(openTo[p.game.ID], f.Name) {
				patch[f.Name] = p.ledger.text(p.game.ID+" "+c.Kind+"'s "+f.Name, "gm")
			}
		}
		if got := p.gm.api("PATCH", "/characters/"+c.ID, map[string]any{"sheet": patch}); got.status != http.StatusOK {
			p.t.Errorf("%s: %s", c.Kind, got.body)
		}
	}
}

// hides reports whether players see only a part of a kind's sheets.
func (p *party) hides(kind game.Kind) bool {
	shown := p.game.View.ShowSheet(game.Viewer{Role: game.Player}, p.game.Settings.Default, "", kind.Blank)
	return fmt.Sprintf("%T", shown) != fmt.Sprintf("%T",
		p.game.View.ShowSheet(game.Viewer{Role: game.Master}, p.game.Settings.Default, "", kind.Blank))
}

// step makes one random action.
func (p *party) step() {
	moves := p.game.Moves
	switch p.IntN(13) {
	case 12:
		p.reveals()
	case 0:
		p.notes(slices.Sorted(maps.Keys(p.noted)))
	case 1:
		p.shows()
	case 2:
		p.undoes()
	case 3:
		p.endsSession()
	case 4:
		g := p.seated[p.IntN(len(p.seated))]
		g.api("POST", "/shares", map[string]any{"share": "abcdef"})
	case 5:
		form := p.game.Settings.Form
		p.gm.api("PATCH", "/settings", map[string]any{"settings": p.fill(form.Fields)})
	case 6:
		p.looks()
	default:
		if m := &moves[p.IntN(len(moves))]; m.AtTable {
			p.makes(m, 5)
		}
		if p.one(2) {
			p.answers()
		}
	}
}

// makes tries to make a move with random arguments, and requests its odds.
func (p *party) makes(m *game.Move, tries int) bool {
	ctx := p.t.Context()
	for range tries {
		g := p.gm
		if !m.GMOnly && p.one(2) {
			g = p.seated[p.IntN(3)]
		}
		now, err := g.seat.View(ctx)
		must(p.t, err)
		at := slices.IndexFunc(now.Moves, func(shown view.MoveShown) bool { return shown.ID == m.ID })
		if at < 0 {
			continue
		}
		actor := ""
		if actors := now.Moves[at].Characters; len(actors) > 0 {
			actor = actors[p.IntN(len(actors))]
		}
		fitted, err := g.seat.MoveForm(ctx, m.ID, actor)
		must(p.t, err)
		if p.one(5) {
			p.prices(m, actor, p.fill(fitted.Fields))
		}
		if p.asks(m, g, actor, func(text func() string) any {
			return maker{Rand: p.Rand, text: text}.fill(fitted.Fields)
		}) {
			return true
		}
	}
	return false
}

// asks makes a move by the API, publicly or in secret, and reports whether it was made. args
// returns its arguments with texts of that kind.
func (p *party) asks(m *game.Move, g *guest, actor string, args func(text func() string) any) bool {
	p.n++
	what := fmt.Sprintf("a secret move's text, %d", p.n)
	secret := g == p.gm && p.one(3)
	text := p.text
	if secret {
		text = func() string { return p.ledger.text(what, "gm") }
	}
	body := map[string]any{
		"move": m.ID, "args": args(text), "secret": secret, "nonce": text(), "byHand": p.one(5),
		"key": p.ledger.text("a key of "+g.name, g.name),
	}
	if actor != "" {
		body["character"] = actor
	}
	got := g.api("POST", "/moves", body)
	if got.status != http.StatusOK && got.status != http.StatusAccepted {
		if got.status >= 500 {
			p.t.Errorf("%s %s: %s", m.ID, body["args"], got.body)
		}
		p.ledger.open(func(marked string) bool { return marked == what }) // nothing was made
		return false
	}
	var done view.Entry
	must(p.t, json.Unmarshal(got.body, &done))
	if done.Secret {
		p.ledger.move(done.Move, "gm")
		p.secret = append(p.secret, done.Move)
		p.texts(done.Move, what)
	}
	p.plain()
	p.seated[p.IntN(len(p.seated))].page("GET", "/t/"+p.id, nil, nil)
	return true
}

// plain unmarks what a secret move wrote on public sheets.
func (p *party) plain() {
	now, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	for _, c := range now.Characters {
		if kind, _ := p.game.Kind(c.Kind); !p.hides(kind) && !c.Hidden {
			sheet, err := json.Marshal(c.Sheet)
			must(p.t, err)
			p.ledger.plain(string(sheet))
		}
	}
}

// texts records which marks belong to a secret move.
func (p *party) texts(move, what string) {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	for _, m := range p.ledger.texts {
		if m.what == what {
			m.what = "secret move " + move
		}
	}
}

// prices requests a move's odds as everybody.
func (p *party) prices(m *game.Move, actor string, args map[string]any) {
	for _, g := range p.all {
		body := map[string]any{"move": m.ID, "args": args}
		query := url.Values{"_m": {m.ID}, "_a": {actor}}
		if actor != "" {
			body["character"] = actor
		}
		for name, value := range args {
			query.Set(name, fmt.Sprint(value))
		}
		got := g.api("POST", "/odds", body)
		if got.status >= 500 {
			p.t.Errorf("odds of %s %v: %s", m.ID, args, got.body)
		}
		g.page("GET", "/t/"+p.id+"/odds?"+query.Encode(), nil, map[string]string{"HX-Request": "true"})
		g.page("GET", "/t/"+p.id+"/move?"+query.Encode(), nil, map[string]string{"HX-Request": "true"})
	}
}

// answers answers all open questions, with random answers that the rules accept.
func (p *party) answers() {
	for range 200 {
		now, err := p.gm.seat.View(p.t.Context())
		must(p.t, err)
		if len(now.Questions) == 0 {
			return
		}
		if p.one(30) {
			p.looks()
		}
		q := now.Questions[p.IntN(len(now.Questions))]
		p.answer(q)
	}
	p.t.Error("questions without end")
}

func (p *party) answer(q view.Question) {
	for try := range 12 {
		g := p.seated[p.IntN(3)] // seats that may not answer are refused
		if try > 2 {
			g = p.gm
		}
		text := func() string { return "said" }
		if q.Secret {
			text = func() string { return p.ledger.text("secret move "+q.Move, "gm") }
		}
		var answer any = maker{Rand: p.Rand, text: text}.fill(q.Form.Fields)
		if try > 8 && q.Standard != nil {
			answer = q.Standard
		}
		switch {
		case q.Question != rule.DiceQuestion:
		case p.one(2):
			answer = map[string]any{"roll": true}
		default:
			answer = map[string]any{"faces": p.faces(q)}
		}
		got := g.api("POST", "/answers", map[string]any{"question": q.ID, "answer": answer})
		if q.Secret && g != p.gm { // for others this question doesn't exist
			none := g.api("POST", "/answers", map[string]any{"question": "m99999::0", "answer": answer})
			said := strings.ReplaceAll(string(got.body), q.ID, "m99999::0")
			if got.status != none.status || said != string(none.body) {
				p.t.Errorf("a secret question is answered by %s\nand one that isn't there by %s", said, none.body)
			}
		}
		if got.status == http.StatusOK || got.status == http.StatusAccepted {
			p.plain()
			return
		}
		if got.status >= 500 {
			p.t.Errorf("%s: %s", q.Question, got.body)
		}
	}
	p.gm.api("POST", "/cancel", map[string]any{"move": q.Move})
}

// offers lets the game master take some offers of the newest moves. For other seats an offer
// doesn't exist.
func (p *party) offers() {
	const none = "m99999:#0"
	now, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	for _, o := range now.Offers[max(0, len(now.Offers)-2):] {
		for _, g := range p.seated {
			seen, err := g.seat.View(p.t.Context())
			must(p.t, err)
			if g == p.gm || slices.ContainsFunc(seen.Offers, func(own view.OfferShown) bool { return own.ID == o.ID }) {
				continue
			}
			got, other := g.api("POST", "/offers", map[string]any{"offer": o.ID}),
				g.api("POST", "/offers", map[string]any{"offer": none})
			if said := strings.ReplaceAll(string(got.body), o.ID, none); got.status != other.status ||
				said != string(other.body) {
				p.t.Errorf("%s takes another's offer by %s\nand one that isn't there by %s", g.name, said, other.body)
			}
		}
		if p.one(2) {
			p.gm.api("POST", "/offers", map[string]any{"offer": o.ID})
		}
	}
}

// faces returns the dice that a question asks for: "Roll 3d10".
func (p *party) faces(q view.Question) []int {
	var n, sides int
	for word := range strings.FieldsSeq(q.Text) {
		if got, _ := fmt.Sscanf(strings.Trim(word, ".,:()"), "%dd%d", &n, &sides); got == 2 {
			break
		}
	}
	faces := make([]int, n)
	for i := range faces {
		faces[i] = 1 + p.IntN(max(sides, 1))
	}
	return faces
}

// shows reveals a secret move to everybody.
func (p *party) shows() {
	if len(p.secret) == 0 {
		return
	}
	p.answers()
	move := p.secret[p.IntN(len(p.secret))]
	p.ledger.open(func(what string) bool { return what == "secret move "+move })
	p.gm.api("POST", "/moves/"+move+"/show", map[string]any{})
}

// reveals reveals a hidden character to everybody.
func (p *party) reveals() {
	if len(p.unseen) == 0 {
		return
	}
	id := p.unseen[0]
	p.unseen = p.unseen[1:]
	now, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	for _, c := range now.Characters {
		if c.ID == id {
			p.ledger.plain(c.Name)
		}
	}
	p.ledger.open(func(what string) bool { return what == "the id of a hidden one, "+id })
	p.taken(p.gm.api("POST", "/characters/"+id+"/show", map[string]any{}))
}

// undoes undoes something, if possible.
func (p *party) undoes() {
	log, err := p.gm.seat.Last(p.t.Context(), 20)
	must(p.t, err)
	if len(log) > 0 {
		p.gm.api("POST", "/undo", map[string]any{"seq": log[p.IntN(len(log))].Seq})
	}
}

// endsSession reveals the secret of the dice and seals the next one.
func (p *party) endsSession() {
	p.answers()
	now, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	p.ledger.open(func(what string) bool { return what == "seal "+strconv.Itoa(now.Session.N)+"." })
	if got := p.gm.api("POST", "/session", map[string]any{}); got.status != http.StatusOK {
		p.t.Errorf("session: %s", got.body)
	}
	p.kept(p.id)
}
