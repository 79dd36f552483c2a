package undertow

import (
	"slices"

	"norn/game"
	"norn/rule"
)

type stressed struct {
	Who string `json:"who"`
	Now int    `json:"now"`
}

type hurt struct {
	Who   string `json:"who"`
	Level int    `json:"level"`
	Text  string `json:"text"`
}

type broken struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

type ticked struct {
	Which string `json:"which"`
	By    int    `json:"by"`
	Full  bool   `json:"full,omitempty"`
}

func (stressed) Type() string { return "undertow.stressed" }
func (hurt) Type() string     { return "undertow.hurt" }
func (broken) Type() string   { return "undertow.broken" }
func (ticked) Type() string   { return "undertow.ticked" }

func (e stressed) Whose() string { return e.Who }
func (e hurt) Whose() string     { return e.Who }
func (e broken) Whose() string   { return e.Who }
func (e ticked) Whose() string   { return e.Which }

func (e stressed) Apply(sheet any) any {
	return smuggler(sheet, func(s *Smuggler) { s.Stress = e.Now })
}

func (e hurt) Apply(sheet any) any {
	return smuggler(sheet, func(s *Smuggler) { s.Harm = append(slices.Clip(s.Harm), Mark{e.Text}) })
}

func (e broken) Apply(sheet any) any {
	return smuggler(sheet, func(s *Smuggler) { s.Stress, s.Traumas = 0, append(slices.Clip(s.Traumas), Mark{e.Text}) })
}

func (e ticked) Apply(sheet any) any {
	if c, ok := sheet.(Clock); ok {
		c.Filled = min(c.Segments, c.Filled+e.By)
		return c
	}
	return sheet
}

func smuggler(sheet any, change func(*Smuggler)) any {
	if s, ok := sheet.(Smuggler); ok {
		change(&s)
		return s
	}
	return sheet
}

func (e stressed) Spoken(v game.Voice) string {
	return v.Say("undertow.event.stressed", "Name", v.Name(e.Who), "N", e.Now)
}

func (e hurt) Spoken(v game.Voice) string {
	return v.Say("undertow.event.hurt", "Name", v.Name(e.Who), "N", e.Level, "Text", e.Text)
}

func (e broken) Spoken(v game.Voice) string {
	return v.Say("undertow.event.broken", "Name", v.Name(e.Who), "Text", e.Text)
}

func (e ticked) Spoken(v game.Voice) string {
	word := "undertow.event.ticked"
	if e.Full {
		word = "undertow.event.full"
	}
	return v.Say(word, "Name", v.Name(e.Which), "N", e.By)
}

// told names what may be shown.
func told(e rule.Event) bool {
	switch e.(type) {
	case game.Resolved, stressed, hurt, broken, ticked:
		return true
	}
	return false
}
