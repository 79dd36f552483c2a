package page

import (
	"encoding/json"
	"net/http"
	"time"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// pageForm handles a form that has more than the fields of its act's request.
type pageForm struct {
	// read adds to the request what the form has in its own way.
	read func(r *http.Request, v *visit, in act.Input) error
	// done responds to success; nil shows the page.
	done func(w http.ResponseWriter, r *http.Request, v *visit, made any) error
	// again draws the form's section with everything that was posted, and the error; err is nil if
	// an item was added to a list or removed. nil shows the page.
	again func(w http.ResponseWriter, r *http.Request, v *visit, err error) error
}

// atForm names the posted form if an act has several.
const atForm = html.Own + "form"

// pageForms maps acts, or an act and a form's name, to their forms.
var pageForms = map[string]pageForm{
	act.KeepNote.Name:           {read: readNote, done: respondAt(toScreen)},
	act.SetClock.Name:           {read: readClock, done: respondAt(toScreen)},
	act.RemoveClock.Name:        {done: respondAt(toScreen)},
	act.SetScene.Name:           {done: respondAt(toScreen)},
	act.SetScene.Name + " page": {done: respondAt(toPictures)},
	act.SetList.Name:            {read: readClock, done: respondAt(toList)},
	act.RemoveList.Name:         {done: respondAt(func(v *visit, _ view.Entry) string { return v.To("/lists") })},
	act.PickFromList.Name:       {done: showPicked, again: pickAgain},
	act.RemoveScene.Name:        {done: respondAt(toPictures), again: picturesAgain},
	act.PlanSession.Name:        {read: readPlan, done: respondAt(toScreen)},
	act.WithdrawCall.Name:       {done: respondAt(toScreen)},
	act.ShowCharacter.Name:      {done: respondAt(toScreen)},
	act.ShowMove.Name:           {done: respondAt(toCard)},
	act.Undo.Name:               {done: respondAt(toCard)},
	act.Cancel.Name:             {done: respondAt(toCard)},
	act.StarMove.Name: {done: respondAt(func(v *visit, _ view.Entry) string {
		return v.Link(v.At) + "#composer"
	})},
	act.CallMove.Name:                   {read: readCall, done: showAsked, again: callAgain},
	act.AddSeat.Name:                    {done: showInvitation},
	act.RenewSeat.Name:                  {done: showInvitation},
	act.Configure.Name:                  {read: readSettings, done: respondWith("web.settings.kept"), again: settingsAgain},
	act.EndSession.Name:                 {read: cancelOpen, done: respondWith("web.seal.ended")},
	act.AddCharacter.Name:               {done: showAdded},
	act.AddCharacter.Name + " stock":    {done: respondAt(toScreen)},
	act.AddCharacter.Name + " hero":     {read: readHero, done: showAdded, again: heroAgain},
	act.AddCharacter.Name + " guide":    {read: readHero, done: showAdded, again: heroAgain},
	act.ImportCharacter.Name:            {read: readCharacterFile, done: showAdded, again: fileAgain},
	act.ImportCharacter.Name + " look":  {read: readLooked, done: showAdded, again: lookAgain},
	act.ChangeCharacter.Name:            {read: readSheet, done: showSheet, again: sheetAgain},
	act.ChangeCharacter.Name + " value": {read: readValue, done: showValue, again: valueAgain},
	act.MakeCode.Name:                   {done: showCode},
	act.DeleteTable.Name:                {done: respondAt(toScreen)},
	act.BlankSeat.Name:                  {done: respondAt(toScreen)},
	act.RemoveCode.Name:                 {done: respondAt(toRecovery)},
	act.RemoveCharacter.Name:            {done: respondAt(toScreen)},
	act.RemoveCharacter.Name + " sheet": {done: showCast},
	act.SetPortrait.Name:                {done: respondAt(toPictures), again: picturesAgain},
	act.ShowPicture.Name:                {read: readShown, done: respondAt(toPictures), again: picturesAgain},
	act.HidePicture.Name:                {done: respondAt(toPictures), again: picturesAgain},
	act.ShareNote.Name:                  {read: readWhom, done: respondAt(toPictures), again: picturesAgain},
	act.HideNote.Name:                   {done: respondAt(toPictures), again: picturesAgain},
}

// postAct does the act in the address. A field of the request has the page's prefix before its
// name.
func postAct(w http.ResponseWriter, r *http.Request, v *visit) error {
	d := act.Find(r.PathValue("name"))
	if d == nil {
		return notFound(w, r, v)
	}
	f, ok := pageForms[d.Name+" "+r.PostForm.Get(atForm)]
	if !ok {
		f = pageForms[d.Name]
	}
	var made any
	var err error
	resized := f.again != nil && (r.PostForm.Has(fields.AddItem) || r.PostForm.Has(fields.DropItem))
	if !resized {
		made, err = f.do(r, v, d)
	}
	switch _, known := statusOf(err); {
	case f.again != nil && (resized || known):
		return f.again(w, r, v, err)
	case err != nil:
		return err
	case f.done != nil:
		return f.done(w, r, v, made)
	}
	return answerDone(w, r, v, entryOf(made).Seq, v.Link(v.At))
}

func (f pageForm) do(r *http.Request, v *visit, d *act.Definition) (any, error) {
	in := d.New()
	in.Typed(func(name string) []string { return r.PostForm[html.Own+name] })
	if d.Now != nil { // its form was made from its fields
		in.Typed(func(name string) []string { return r.PostForm[name] })
	}
	if f.read != nil {
		if err := f.read(r, v, in); err != nil {
			return nil, err
		}
	}
	return table.DoAny(r.Context(), v.seat, d, in)
}

// entryOf returns the entry that an act has written.
func entryOf(made any) view.Entry {
	if c, ok := made.(view.Character); ok {
		return c.Entry
	}
	e, _ := made.(view.Entry)
	return e
}

// respondAt responds to the script with the seq, and redirects a page without script to the place
// that shows the result.
func respondAt(to func(v *visit, e view.Entry) string) func(http.ResponseWriter, *http.Request, *visit, any) error {
	return func(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
		return answerDone(w, r, v, entryOf(made).Seq, to(v, entryOf(made)))
	}
}

// respondWith responds to the script with a short message.
func respondWith(word string) func(http.ResponseWriter, *http.Request, *visit, any) error {
	return func(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
		return answerDone(w, r, v, entryOf(made).Seq, v.Link(v.At), html.Toast(v.Say(word)))
	}
}

// toScreen returns the address of the game master's screen.
func toScreen(v *visit, _ view.Entry) string { return v.To("/gm") }

// toCard returns the address of an entry's card.
func toCard(v *visit, e view.Entry) string {
	return v.Link(v.At.WithTab("log")) + "#" + cardIDs(e)[0]
}

// toPictures returns the address of the entry that shows something, otherwise of the page of
// pictures.
func toPictures(v *visit, e view.Entry) string {
	if e.Kind == view.KindPicture || e.Kind == view.KindHandout && len(e.Lines) > 0 {
		return v.Link(v.At.WithTab("log")) + "#e" + html.SeqText(e.Seq)
	}
	if e.Kind == view.KindScene {
		return v.To("/pictures") + "#scenes"
	}
	return v.To("/pictures")
}

// set sets a part of a request.
func set(in act.Input, part string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return in.Part(part, data)
}

// setText sets a field of a request.
func setText(in act.Input, name, text string) {
	in.Typed(func(other string) []string { return map[string][]string{name: {text}}[other] })
}

// readNote clears the text if the note is to be deleted.
func readNote(r *http.Request, _ *visit, in act.Input) error {
	if r.PostForm.Get(html.Own+"do") == "drop" {
		setText(in, "text", "")
	}
	return nil
}

// readClock reads who sees the clock.
func readClock(r *http.Request, v *visit, in act.Input) error {
	if r.PostForm.Get(html.Own+"whom") == "none" {
		setText(in, "hidden", "on")
	}
	return readWhom(r, v, in)
}

// readPlan reads the time in the game master's time zone.
func readPlan(r *http.Request, v *visit, in act.Input) error {
	text := r.PostForm.Get(html.Own + "when")
	if text == "" {
		return nil
	}
	at, err := time.ParseInLocation("2006-01-02T15:04", text, v.Zone)
	if err != nil {
		return refusal.Invalid("when", form.Syntax, func(p *form.Problem) { p.Given = refusal.Brief(text) })
	}
	setText(in, "zone", v.Zone.String())
	return set(in, "at", at)
}

// cancelOpen cancels the moves that the form listed as open.
func cancelOpen(r *http.Request, v *visit, _ act.Input) error {
	for _, move := range r.PostForm[html.Own+"cancel"] {
		key := r.PostForm.Get(html.Own+"key") + "-" + move
		if _, err := table.Do(r.Context(), v.seat, act.Cancel, act.CancelRequest{Move: move}, key); err != nil {
			return err
		}
	}
	return nil
}

// readCall reads the move in the composer.
func readCall(r *http.Request, v *visit, in act.Input) error {
	d := readDraft(v, r.PostForm)
	setText(in, "move", d.Move.Move)
	setText(in, "character", d.Character)
	setText(in, "text", d.about)
	setText(in, "key", "call "+d.Key) // a roll from the same form uses the key itself
	f, err := v.now.MoveForm(r.Context(), d.Move.Move, d.Character)
	if err != nil {
		return err
	}
	// what norn filled in from the sheet must not bind the player
	return set(in, "values", d.SetIn(f.WithoutAssumed().DefaultInputs()))
}

func showAsked(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	w.Header().Set("HX-Trigger", "asked")
	asked := html.Toast(v.Say("web.compose.asked", "Name", v.Look.MayAsk()))
	return answerDone(w, r, v, entryOf(made).Seq, v.Link(v.At), asked)
}

// showInvitation shows the link of a new seat or a new link.
func showInvitation(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	i := made.(view.Invitation)
	said := html.SeatsSaid{Invited: i.ID, Name: i.Name}
	if i.Secret != "" {
		said.Link = v.s.linkOf(r, v.View.ID, i.Secret)
	}
	answer := func() error { return seatsSaid(w, r, v, said) }
	if i.Secret != "" && i.ID == v.View.Seat { // the reader's own link has changed
		v.s.keepSeat(w, r, v.View.ID, middleware.AskedSeat(r), i.Secret)
		return answer()
	}
	return v.withTable(r, answer)
}

func seatsSaid(w http.ResponseWriter, r *http.Request, v *visit, said html.SeatsSaid) error {
	if middleware.HX(r) {
		w.Header().Set(standsAt, html.SeqText(v.View.Told))
	}
	return sendBack(w, r, v, http.StatusOK, html.SeatsAgain(v.Page, said),
		html.Extras{Seats: said})
}

// showOwnLink shows the link of the reader's own seat, which no view has, on request.
func showOwnLink(w http.ResponseWriter, r *http.Request, v *visit) error {
	me, link := v.View.Me(), v.s.linkOf(r, v.View.ID, v.secret())
	if v.Master() && r.PostForm.Has(html.Own+"drawer") {
		return seatsSaid(w, r, v, html.SeatsSaid{Own: true, Invited: me.ID, Name: me.Name, Link: link})
	}
	return sendBack(w, r, v, http.StatusOK, html.LinkAgain(v.Page, link), html.Extras{OwnLink: link})
}
