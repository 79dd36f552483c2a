package godbound

import (
	"cmp"
	"embed"
	"strconv"

	"norn/game"
)

//go:embed emblem.svg
var emblem string

//go:embed words/*.toml ready.toml foreign.toml
var wordFiles embed.FS

// data holds the values for a text.
type data = map[string]any

// AboutSave is the subject of the question whether to buy a failed save.
type AboutSave struct {
	Who  string `json:"who"`
	Save string `json:"save,omitempty"`
	Free int    `json:"free"`
	// the gift, miracle or power that the save is against, if it's one
	Working *AboutWorking `json:"working,omitempty"`
}

// AboutDie is the subject of the question which die gets the modifier.
type AboutDie struct {
	Who      string `json:"who,omitempty"`
	Modifier int    `json:"modifier"`
	Best     string `json:"best"`           // the best die, with the effect of the modifier
	Points   int    `json:"points" say:"N"` // of the whole throw with it
}

// AboutFury is the subject of the question whether a falling hero rises.
type AboutFury struct {
	Who    string `json:"who"`
	HP     int    `json:"hp"`
	Rounds int    `json:"rounds"`
	Blows  int    `json:"blows,omitempty"` // already thrown at the hero
	Points int    `json:"points,omitempty"`
	Fall   bool   `json:"fall,omitempty"` // they still fall
	Now    int    `json:"now,omitempty"`  // HP of a hero who was healed meanwhile
}

// AboutBlows is the subject of the question whether blows that are thrown still fall. GB-16, GB-17
type AboutBlows struct {
	Who    string `json:"who"`
	Blows  int    `json:"blows" say:"N"`
	Points int    `json:"points"`
}

// AboutWorking is the subject of the question how to counter a power.
type AboutWorking struct {
	Who  string `json:"who"`
	At   string `json:"at"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Use  string `json:"use,omitempty"`
	Text string `json:"text,omitempty"`
	Of   string `json:"of,omitempty"` // the kind of harm or effect
}

// AboutDefence is the subject of the question whether a defence works. GB-22
type AboutDefence struct {
	Who  string `json:"who"`
	Word string `json:"word,omitempty"`
	Gift string `json:"gift,omitempty"`
	How  string `json:"how,omitempty"`
}

// AboutHarm is the subject of the question whether an immunity stops an effect. GB-23
type AboutHarm struct {
	Who string `json:"who"`
	Of  string `json:"of,omitempty"`
}

// AboutHealing is the subject of the question about the price of healing. GB-20
type AboutHealing struct {
	Healer string `json:"healer" say:"name"`
	Who    string `json:"who"`
	Points int    `json:"points"`
	Free   int    `json:"free" say:"N"` // free Effort of the patient
}

// AboutLevel is the subject of the question about a new level.
type AboutLevel struct {
	Who   string `json:"who"`
	Level int    `json:"level"`
}

func attributeWord(name string) game.Word { return game.Word("godbound.attribute." + name) }
func turnWord(side string) game.Word      { return game.Word("godbound.first." + side) }
func stateWord(state string) game.Word    { return game.Word("godbound.state." + state) }

// signedNumber returns a modifier as people read it: "+2", "−1", "0".
func signedNumber(n int) string {
	switch {
	case n > 0:
		return "+" + strconv.Itoa(n)
	case n < 0:
		return "−" + strconv.Itoa(-n)
	}
	return "0"
}

// SayIn implements game.Sayer.
func (n Named) SayIn(game.Voice) string { return n.Name }

func wards(all []Ward, v game.Voice) string {
	return v.List(game.Each(all, func(w Ward) string { return w.Name }))
}

func persons(who []string, v game.Voice) string {
	return v.List(game.Each(who, v.Name))
}

// SayIn describes what a point of Effort pays for.
func (c Commitment) SayIn(v game.Voice) string {
	text := v.Say("godbound.purpose." + c.Purpose)
	switch {
	case c.For == "":
	case c.Purpose == "own":
		text = c.For
	default:
		text += ": " + c.For
	}
	if c.Use != "" {
		text += ", " + v.Say("godbound.use."+c.Use)
	}
	return text
}

// sides returns the fighters of each side by name.
func sides(all []Fighter, v game.Voice) (heroes, foes string) {
	by := map[string][]string{}
	for _, f := range all {
		by[f.Side] = append(by[f.Side], string(f.Who))
	}
	return persons(by["heroes"], v), persons(by["foes"], v)
}

func (e FightBegun) Data(v game.Voice) data {
	heroes, foes := sides(e.Fighters, v)
	return data{"Heroes": heroes, "Foes": foes}
}

// Spoken implements game.Spoken.
func (e FightersJoined) Spoken(v game.Voice) string {
	if len(e.Fighters) == 0 {
		return v.Say("godbound.event.nobody-joined")
	}
	return v.Tell(
		"godbound.event.fighters-joined",
		data{"Names": persons(game.Each(e.Fighters, func(f Fighter) string { return string(f.Who) }), v)},
	)
}

func (e Acted) Data(v game.Voice) data { return data{"Name": v.Name(e.Fighter)} }

func (e DamageDealt) Word() string {
	return cmp.Or(
		game.When(e.Straight, "godbound.event.damage-straight"),
		game.When(e.Die > 0, "godbound.event.damage-die"),
		"godbound.event.damage",
	)
}

func (e DamageDealt) Data(game.Voice) data { return data{"Modifier": signedNumber(e.Modifier)} }

func (e FoeHurt) Word() string {
	return cmp.Or(
		game.When(e.Fell > 0 && e.Count > 0, "godbound.event.foes-fell"),
		game.When(e.HD == 0 || e.Count != 1, "godbound.event.foe-hurt-unseen"),
	)
}

func (e FoeHurt) Data(game.Voice) data { return data{"Now": max(0, e.HD-e.Lost)} }

func (e FuryBegan) Data(game.Voice) data { return data{"N": cmp.Or(e.Most, e.Rounds)} } // older rules recorded no Most

func (e RoundPassed) Word() string {
	return cmp.Or(
		game.When(e.Was == "fury", "godbound.event.fury-rested"),
		game.When(e.State == "fury", "godbound.event.fury-rounds"),
		game.When(e.Rounds == 0, "godbound.event.recovered"),
		"godbound.event.spent-rounds",
	)
}

func (e EffortCommitted) Data(v game.Voice) data {
	return data{"For": e.Commitment.SayIn(v), "Until": game.Word("godbound.committed." + e.Commitment.Until)}
}

func (e EffortReturned) Data(game.Voice) data { return data{"N": len(e.Back)} }

func (e TimePassed) Word() string {
	return cmp.Or(game.When(e.Why == "dawn", "godbound.event.day-broke"), "godbound.event.scene-ended")
}

// Spoken implements game.Spoken.
func (e Invoked) Spoken(v game.Voice) string {
	text := v.Tell("godbound.invoked."+e.Kind, data{"Name": v.Name(e.Who), "What": e.Name})
	if e.Use != "" {
		text += ": " + v.Say("godbound.use."+e.Use)
	}
	if len(e.Targets) > 0 {
		text += " → " + persons(e.Targets, v)
	}
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

// Spoken implements game.Spoken.
func (e Dispelled) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Word": e.Word, "Gift": e.Gift, "How": e.How}
	switch {
	case e.Gift != "" && e.How == "":
		return v.Tell("godbound.event.defended-silently", d)
	case e.Gift != "":
		return v.Tell("godbound.event.defended", d)
	case e.Word != "":
		return v.Tell("godbound.event.dispelled", d)
	}
	return v.Tell("godbound.event.foe-dispelled", d)
}

func (e Guarded) Word() string { return game.When(e.Protection != "armour", "godbound.event.immune") }

func (e Guarded) Data(game.Voice) data { return data{"AC": miracleAC} }

// Spoken implements game.Spoken.
func (e DominionGained) Spoken(v game.Voice) string {
	text := v.Tell(
		"godbound.event.dominion-gained",
		data{"Name": v.Name(e.Who), "Points": e.Points, "Why": game.Word("godbound.income." + e.Why)},
	)
	if strictures(e.Strictures) > 0 {
		text += ". " + v.Say("godbound.event.strictures")
	}
	return text
}

func (e Paid) Word() string {
	return cmp.Or(
		game.When(e.Influence < 0 && e.Dominion == 0, "godbound.event.taken-back"),
		game.When(e.Influence == 0, "godbound.event.paid-dominion"),
		game.When(e.Dominion == 0, "godbound.event.paid-influence"),
		"godbound.event.paid-both",
	)
}

func (e Paid) Data(game.Voice) data { return data{"Back": -e.Influence} }

// Spoken implements game.Spoken.
func (e EffectsEnded) Spoken(v game.Voice) string {
	over := append([]string{}, e.Bindings...)
	if e.Armour {
		over = append(over, v.Say("godbound.protection.armour"))
	}
	for _, to := range e.Immune {
		over = append(over, v.Tell("godbound.ended.immunity", data{"To": to}))
	}
	over = append(over, e.Works...)
	return v.Tell("godbound.event.effects-ended", data{"Name": v.Name(e.Who), "Over": v.List(over)})
}

func (e Raised) Data(game.Voice) data { return data{"What": e.Made.Name} }

// Spoken implements game.Spoken.
func (e TimeAsked) Spoken(v game.Voice) string {
	text := v.Tell(
		"godbound.event.time-asked",
		data{"Name": v.Name(e.Who), "Time": game.Word("godbound.asked." + e.Time)},
	)
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

func (e ProjectEnded) Word() string {
	return cmp.Or(game.When(e.How == "done", "godbound.event.ended-done"), "godbound.event.ended-dropped")
}

// Spoken implements game.Spoken.
func (a AboutDefence) Spoken(v game.Voice) string {
	return Dispelled(a).Spoken(v)
}

// Spoken implements game.Spoken.
func (a AboutHarm) Spoken(v game.Voice) string {
	if a.Of == "" {
		return v.Name(a.Who)
	}
	return v.Name(a.Who) + ": " + a.Of
}

func (a AboutDie) Data(game.Voice) data { return data{"Modifier": signedNumber(a.Modifier)} }

// Spoken implements game.Spoken.
func (a AboutWorking) Spoken(v game.Voice) string {
	text := Invoked{Who: a.Who, Kind: a.Kind, Name: a.Name, Use: a.Use, Text: a.Text, Targets: []string{a.At}}.Spoken(v)
	if a.Of != "" {
		text += " (" + a.Of + ")"
	}
	return text
}

// Spoken implements game.Spoken: what Fury gives, and what is already on its way.
func (a AboutFury) Spoken(v game.Voice) string {
	text := v.Tell("godbound.about.fury", data{"Name": v.Name(a.Who), "HP": a.HP, "N": a.Rounds})
	if a.Now > 0 {
		text = v.Tell("godbound.about.healed", data{"Name": v.Name(a.Who), "HP": a.Now})
	}
	if a.Blows == 0 {
		return text
	}
	word := "godbound.about.blows-dropped"
	if a.Fall {
		word = "godbound.about.blows-fall"
	}
	return text + ". " + v.Tell(word, data{"N": a.Blows, "Points": a.Points})
}

// Spoken implements game.Spoken: what the save is against, and its price.
func (a AboutSave) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(a.Who), "N": a.Free}
	word := "godbound.about.foe-save"
	if a.Save != "" {
		word, d["Save"] = "godbound.about.save", game.Word("godbound.save."+a.Save)
	}
	text := v.Tell(word, d)
	if a.Working != nil {
		text = a.Working.Spoken(v) + ". " + text
	}
	return text
}

// Guidance explains how a power can be countered. GB-21, GB-22
func (a AboutWorking) Guidance(v game.Voice) []string {
	return []string{v.Say("godbound.guidance.clash"), v.Say("godbound.guidance.dispel")}
}
