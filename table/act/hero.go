package act

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/internal/picture"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// IsCharacterFile reports whether data is a character's file of norn, maybe a broken one, instead of a
// hero from another program.
func IsCharacterFile(data []byte) bool {
	var head struct {
		Format string `json:"format"`
	}
	return json.Unmarshal(data, &head) == nil && head.Format == view.CharacterFormat
}

// ReadHero reads a hero from another program and makes a sheet of it for the seat, without keeping
// anything. norn is the version that does it. Errors are *game.Refusal and *refusal.TooManyError.
func ReadHero(e *visibility.Eye, data []byte, norn string) (view.HeroRead, error) {
	p, err := proposeHero(e, data)
	if err != nil {
		return view.HeroRead{}, err
	}
	g, s := e.Table.Game, e.Voice.Speaker
	kind, _ := g.Kind(p.Kind)
	read := view.HeroRead{
		System: p.Hero.Title, Version: p.Hero.Version, File: fileOfHero(e, p, norn),
		Derived: []view.DerivedValue{}, Misfits: []view.HeroMisfit{}, Doubts: []string{}, Ask: []string{},
		Kept: append([]string{}, game.Each(p.Kept, func(k foreign.Kept) string { return k.Name })...),
	}
	for _, d := range p.Derived {
		read.Derived = append(read.Derived, view.DerivedValue{
			Path: d.Path, Label: foreign.Place(g, kind.Form, d.Path, d.Item, s), Value: d.N, How: d.Sum.Say(g, s), From: d.From,
		})
	}
	for _, m := range p.Misfits {
		read.Misfits = append(read.Misfits, misfitOfHero(e, kind, m))
	}
	for _, d := range p.Doubts() {
		read.Doubts = append(read.Doubts, d.Say(g, s))
	}
	for _, path := range p.Ask {
		read.Ask = append(read.Ask, foreign.Place(g, kind.Form, path, "", s))
	}
	return read, nil
}

// misfitOfHero words a value that the sheet doesn't take.
func misfitOfHero(e *visibility.Eye, kind game.Kind, m foreign.Misfit) view.HeroMisfit {
	g := e.Table.Game
	shown := view.HeroMisfit{
		Path: m.Path, Label: foreign.Place(g, kind.Form, m.Path, m.Item, e.Voice.Speaker), Given: m.Given, From: m.From,
	}
	if m.Refusal != nil {
		shown.Why, shown.Rule = e.Voice.Refusal(m.Refusal), m.Refusal.Rule
		return shown
	}
	problem := m.Problem
	if problem.Code == form.NoChoice {
		if field, ok := kind.Form.Field(m.Path); ok {
			problem.Allowed = nil
			for _, o := range field.Options[:min(len(field.Options), 12)] {
				problem.Allowed = append(problem.Allowed, g.Option(e.Voice, field, o))
			}
		}
	}
	id, data := problem.Word()
	data["Field"] = shown.Label
	shown.Why = strings.TrimPrefix(e.Voice.Say(id, data), shown.Label+": ") // the label is shown before it
	return shown
}

// proposeHero reads a hero for the seat.
func proposeHero(e *visibility.Eye, data []byte) (foreign.Proposal, error) {
	if len(data) > request.MaxCharacterFile {
		return foreign.Proposal{}, &refusal.TooManyError{What: "bytes", Max: request.MaxCharacterFile}
	}
	if e.Seat.Role == game.Spectator {
		return foreign.Proposal{}, &refusal.ForbiddenError{}
	}
	g := e.Table.Game
	h, err := foreign.Read(plainFile(data))
	if err != nil {
		return foreign.Proposal{}, refuseHero(g, err)
	}
	names, ok, err := foreign.NamesOf(g, h.System)
	if err != nil {
		return foreign.Proposal{}, err
	}
	var locked []string
	if ok {
		kind, err := kindToAdd(e, names.Kind)
		if err != nil {
			return foreign.Proposal{}, err
		}
		locked = reservedFrom(e, kind)
	}
	p, err := foreign.Propose(g, h, locked, e.Voice.Speaker)
	return p, refuseHero(g, err)
}

// plainFile returns a file. In JSON it may be a text: of a spreadsheet in CSV, or of bytes as a data
// URL, which is no hero if it isn't one.
func plainFile(data []byte) []byte {
	var text string
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`)) || json.Unmarshal(data, &text) != nil ||
		strings.HasPrefix(text, ",") {
		return data
	}
	return bytesIn(text)
}

// bytesIn returns the bytes of a data URL, or else of the text itself.
func bytesIn(text string) []byte {
	head, packed, ok := strings.Cut(text, ";base64,")
	if !ok || !strings.HasPrefix(head, "data:") {
		return []byte(text)
	}
	unpacked, _ := base64.StdEncoding.DecodeString(packed) // what is no Base64 ends it, and is told as a broken file
	return unpacked
}

// refuseHero makes a refusal of a problem in a file. A game that takes no heroes of other programs says
// nothing of them.
func refuseHero(g *game.Game, err error) error {
	problem, ok := errors.AsType[*foreign.Problem](err)
	switch {
	case !ok:
		return err
	case problem.Code == foreign.Unknown && !foreign.Takes(g):
		return refusal.Refuse("file-foreign", nil)
	}
	return &refusal.RefusedError{Refusal: &game.Refusal{
		Word: "foreign.problem." + problem.Code, Data: map[string]any{"What": problem.What, "Max": problem.Max},
	}}
}

// fileOfHero returns a proposal as a character's file. Its picture is left out where it's none.
func fileOfHero(e *visibility.Eye, p foreign.Proposal, norn string) view.CharacterFile {
	file := view.CharacterFile{
		Format: view.CharacterFormat, Version: view.CharacterVersion, Norn: norn, Game: e.Table.Game.ID,
		Edition: e.Table.Edition, Kind: p.Kind, Name: p.Hero.Name, Seen: string(game.Player), Sheet: p.Sheet,
	}
	if e.Viewer.IsGM() {
		file.Seen = string(game.Master)
	}
	if file.Name == "" {
		file.Name = e.Voice.Say("foreign.unnamed")
	}
	if from := p.Hero.Picture; from != nil {
		if _, _, err := picture.Size(from.Media, from.Data); err == nil {
			file.Portrait = &view.Portrait{Media: from.Media, Data: from.Data}
		}
	}
	return file
}

// asCharacterFile returns a character's file, made of a hero from another program if the request has
// one. What of that doesn't fit is refused, unless the request says to take what fits.
func asCharacterFile(e *visibility.Eye, r ImportRequest) (file json.RawMessage, partial bool, err error) {
	if IsCharacterFile(r.File) {
		return r.File, false, nil
	}
	p, err := proposeHero(e, r.File)
	if err != nil {
		return nil, false, err
	}
	if !r.Fitting {
		var problems form.Problems
		for _, m := range p.Misfits {
			if m.Refusal != nil {
				return nil, false, refusal.Within("file.sheet", withLabel(e, m.Refusal))
			}
			problem := m.Problem
			problem.Path = m.Path
			problems = append(problems, problem)
		}
		if problems != nil {
			return nil, false, refusal.Within("file.sheet", problems)
		}
	}
	return state.JSON(fileOfHero(e, p, "")), len(p.Misfits) > 0, nil
}
