package godbound

import (
	"embed"
	"strconv"

	"norn/game"
)

//go:embed words/*.toml
var wordFiles embed.FS

// data are the places of a text.
type data = map[string]any

// AboutWho is what a question about one character says.
type AboutWho struct {
	Who string `json:"who"`
}

// AboutSave is what somebody needs to decide whether to buy a failed save.
type AboutSave struct {
	Who  string `json:"who"`
	Save string `json:"save,omitempty"`
	Free int    `json:"free"`
}

// AboutDie is what the roller needs to place the modifier.
type AboutDie struct {
	Who      string `json:"who,omitempty"`
	Modifier int    `json:"modifier"`
	Best     string `json:"best"`   // the best die, with what the modifier makes of it
	Points   int    `json:"points"` // of the whole throw then
}

// AboutFury is what a hero who falls needs to decide whether to rise.
type AboutFury struct {
	Who    string `json:"who"`
	HP     int    `json:"hp"`
	Rounds int    `json:"rounds"`
}

// AboutWorking is what somebody needs to decide what to set against a power.
type AboutWorking struct {
	Who  string `json:"who"`
	At   string `json:"at"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Use  string `json:"use,omitempty"`
	Text string `json:"text,omitempty"`
	Of   string `json:"of,omitempty"` // what kind of harm or effect it is
}

// AboutDefence is what the GM needs to say whether a defence works. GB-22
type AboutDefence struct {
	Who  string `json:"who"`
	Word string `json:"word,omitempty"`
	Gift string `json:"gift,omitempty"`
	How  string `json:"how,omitempty"`
}

// AboutHarm is what the GM needs to say whether an immunity meets it. GB-23
type AboutHarm struct {
	Who string `json:"who"`
	Of  string `json:"of,omitempty"`
}

// AboutHealing is what the patient and the GM need to decide on its price. GB-20
type AboutHealing struct {
	Healer string `json:"healer"`
	Who    string `json:"who"`
	Points int    `json:"points"`
	Free   int    `json:"free"` // Effort of the patient's
}

// AboutLevel is which level is reached.
type AboutLevel struct {
	Who   string `json:"who"`
	Level int    `json:"level"`
}

func attributeWord(name string) game.Word { return game.Word("godbound.attribute." + name) }
func turnWord(side string) game.Word      { return game.Word("godbound.first." + side) }
func stateWord(state string) game.Word    { return game.Word("godbound.state." + state) }

// signed writes a modifier as people read it: "+2", "−1", "0".
func signed(n int) string {
	switch {
	case n > 0:
		return "+" + strconv.Itoa(n)
	case n < 0:
		return "−" + strconv.Itoa(-n)
	}
	return "0"
}

func listed(names []Named, v game.Voice) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = n.Name
	}
	return v.List(texts)
}

func wards(all []Ward, v game.Voice) string {
	texts := make([]string, len(all))
	for i, w := range all {
		texts[i] = w.Name
	}
	return v.List(texts)
}

func persons(who []string, v game.Voice) string {
	texts := make([]string, len(who))
	for i, id := range who {
		texts[i] = v.Name(id)
	}
	return v.List(texts)
}

// text says what a point of Effort holds.
func (c Commitment) text(v game.Voice) string {
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

// sides lists the fighters of each side by name.
func sides(all []Fighter, v game.Voice) (heroes, foes string) {
	by := map[string][]string{}
	for _, f := range all {
		by[f.Side] = append(by[f.Side], string(f.Who))
	}
	return persons(by["heroes"], v), persons(by["foes"], v)
}

// Spoken implements game.Spoken.
func (e FightBegun) Spoken(v game.Voice) string {
	heroes, foes := sides(e.Fighters, v)
	return v.Tell("godbound.event.fight-begun", data{"Heroes": heroes, "Foes": foes, "First": game.Word("godbound.opens." + e.First)})
}

// Spoken implements game.Spoken.
func (e FightersJoined) Spoken(v game.Voice) string {
	if len(e.Fighters) == 0 {
		return v.Say("godbound.event.nobody-joined")
	}
	who := make([]string, len(e.Fighters))
	for i, f := range e.Fighters {
		who[i] = string(f.Who)
	}
	return v.Tell("godbound.event.fighters-joined", data{"Names": persons(who, v)})
}

// Spoken implements game.Spoken.
func (e TurnPassed) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.turn-passed", data{"Round": e.Round, "Turn": turnWord(e.Turn)})
}

// Spoken implements game.Spoken.
func (e FightEnded) Spoken(v game.Voice) string { return v.Say("godbound.event.fight-ended") }

// Spoken implements game.Spoken.
func (e Acted) Spoken(v game.Voice) string {
	id := "godbound.event.acted"
	switch {
	case e.Move:
		id = "godbound.event.moved"
	case e.Fray:
		id = "godbound.event.frayed"
	}
	return v.Tell(id, data{"Name": v.Name(e.Fighter)})
}

// Spoken implements game.Spoken.
func (e DamageDealt) Spoken(v game.Voice) string {
	d := data{"N": e.Points, "Modifier": signed(e.Modifier), "Die": e.Die}
	switch {
	case e.Straight:
		return v.Tell("godbound.event.damage-straight", d)
	case e.Die > 0:
		return v.Tell("godbound.event.damage-die", d)
	}
	return v.Tell("godbound.event.damage", d)
}

// Spoken implements game.Spoken.
func (e FoeHurt) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "N": e.Points, "Fell": e.Fell, "Count": e.Count, "Now": max(0, e.HD-e.Lost), "HD": e.HD}
	switch {
	case e.Fell > 0 && e.Count > 0:
		return v.Tell("godbound.event.foes-fell", d)
	case e.HD == 0 || e.Count != 1:
		return v.Tell("godbound.event.foe-hurt-unseen", d)
	}
	return v.Tell("godbound.event.foe-hurt", d)
}

// Spoken implements game.Spoken.
func (e FoeFell) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.foe-fell", data{"Name": v.Name(e.Who), "Fate": game.Word("godbound.fate." + e.Fate)})
}

// Spoken implements game.Spoken.
func (e HPLost) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.hp-lost", data{"Name": v.Name(e.Who), "Points": e.Points, "Now": e.Now})
}

// Spoken implements game.Spoken.
func (e Fallen) Spoken(v game.Voice) string {
	if e.Out {
		return v.Tell("godbound.event.out-cold", data{"Name": v.Name(e.Who)})
	}
	return v.Tell("godbound.event.fallen", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e Slain) Spoken(v game.Voice) string {
	if e.Beyond {
		return v.Tell("godbound.event.slain-beyond", data{"Name": v.Name(e.Who)})
	}
	return v.Tell("godbound.event.slain", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e FuryBegan) Spoken(v game.Voice) string {
	most := e.Most
	if most == 0 { // as older rules told it
		most = e.Rounds
	}
	d := data{"Name": v.Name(e.Who), "HP": e.HP, "N": most, "Freed": listed(e.Freed, v)}
	if len(e.Freed) > 0 {
		return v.Tell("godbound.event.fury-freed", d)
	}
	return v.Tell("godbound.event.fury-began", d)
}

// Spoken implements game.Spoken.
func (e RoundPassed) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "N": e.Rounds}
	switch {
	case e.State == "fury":
		return v.Tell("godbound.event.fury-rounds", d)
	case e.Rounds == 0:
		return v.Tell("godbound.event.recovered", d)
	}
	return v.Tell("godbound.event.spent-rounds", d)
}

// Spoken implements game.Spoken.
func (e FuryEnded) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.fury-ended", data{"Name": v.Name(e.Who), "N": e.Rounds})
}

// Spoken implements game.Spoken.
func (e Mended) Spoken(v game.Voice) string {
	id := "godbound.event.mended"
	if e.Foe {
		id = "godbound.event.foe-mended"
	}
	return v.Tell(id, data{"Name": v.Name(e.Who), "Points": e.Points})
}

// Spoken implements game.Spoken.
func (e EffortCommitted) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.effort-committed", data{
		"Name": v.Name(e.Who), "For": e.Commitment.text(v), "Until": game.Word("godbound.committed." + e.Commitment.Until),
	})
}

// Spoken implements game.Spoken.
func (e EffortReturned) Spoken(v game.Voice) string {
	back := make([]string, len(e.Back))
	for i, c := range e.Back {
		back[i] = c.text(v)
	}
	return v.Tell("godbound.event.effort-returned", data{"Name": v.Name(e.Who), "N": len(e.Back), "Back": v.List(back)})
}

// Spoken implements game.Spoken.
func (e TimePassed) Spoken(v game.Voice) string {
	if e.Why == "dawn" {
		return v.Tell("godbound.event.day-broke", data{"Name": v.Name(e.Who)})
	}
	return v.Tell("godbound.event.scene-ended", data{"Name": v.Name(e.Who)})
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

// Spoken implements game.Spoken.
func (e Guarded) Spoken(v game.Voice) string {
	if e.Protection == "armour" {
		return v.Tell("godbound.event.guarded", data{"Name": v.Name(e.Who), "AC": miracleAC})
	}
	return v.Tell("godbound.event.immune", data{"Name": v.Name(e.Who), "To": e.To})
}

// Spoken implements game.Spoken.
func (e Hindered) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.hindered", data{"Name": v.Name(e.Who), "By": e.By})
}

// Spoken implements game.Spoken.
func (e ExperienceGained) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.experience-gained", data{"Name": v.Name(e.Who), "Points": e.Points})
}

// Spoken implements game.Spoken.
func (e DominionGained) Spoken(v game.Voice) string {
	text := v.Tell("godbound.event.dominion-gained", data{"Name": v.Name(e.Who), "Points": e.Points, "Why": game.Word("godbound.income." + e.Why)})
	if strictures(e.Strictures) > 0 {
		text += ". " + v.Say("godbound.event.strictures")
	}
	return text
}

// Spoken implements game.Spoken.
func (e Paid) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Influence": e.Influence, "Dominion": e.Dominion, "Back": -e.Influence}
	switch {
	case e.Influence < 0 && e.Dominion == 0:
		return v.Tell("godbound.event.taken-back", d)
	case e.Influence == 0:
		return v.Tell("godbound.event.paid-dominion", d)
	case e.Dominion == 0:
		return v.Tell("godbound.event.paid-influence", d)
	}
	return v.Tell("godbound.event.paid-both", d)
}

// Spoken implements game.Spoken.
func (e ProjectPaid) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Price": e.Price, "Missing": e.Missing}
	if e.Missing == 0 {
		return v.Tell("godbound.event.project-done", d)
	}
	return v.Tell("godbound.event.project-paid", d)
}

// Spoken implements game.Spoken.
func (e Happened) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.happened", data{"Name": v.Name(e.Who), "Text": e.Text})
}

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

// Spoken implements game.Spoken.
func (e Raised) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.raised", data{"Name": v.Name(e.Who), "What": e.Made.Name})
}

// Spoken implements game.Spoken.
func (e Unharmed) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.unharmed", data{"Name": v.Name(e.Who), "To": e.To})
}

// Spoken implements game.Spoken.
func (e TimeAsked) Spoken(v game.Voice) string {
	text := v.Tell("godbound.event.time-asked", data{"Name": v.Name(e.Who), "Time": game.Word("godbound.asked." + e.Time)})
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

// Spoken implements game.Spoken.
func (e LevelGained) Spoken(v game.Voice) string {
	return v.Tell("godbound.event.level-gained", data{"Name": v.Name(e.Who), "Level": e.Level})
}

// Spoken implements game.Spoken.
func (e ProjectEnded) Spoken(v game.Voice) string {
	if e.How == "done" {
		return v.Tell("godbound.event.ended-done", data{"Name": v.Name(e.Who)})
	}
	return v.Tell("godbound.event.ended-dropped", data{"Name": v.Name(e.Who)})
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

// Spoken implements game.Spoken.
func (a AboutHealing) Spoken(v game.Voice) string {
	return v.Tell("godbound.about.healing", data{"Healer": v.Name(a.Healer), "Name": v.Name(a.Who), "Points": a.Points, "N": a.Free})
}

// Spoken implements game.Spoken.
func (a AboutLevel) Spoken(v game.Voice) string {
	return v.Tell("godbound.about.level", data{"Name": v.Name(a.Who), "Level": a.Level})
}

// Spoken implements game.Spoken.
func (a AboutWho) Spoken(v game.Voice) string { return v.Name(a.Who) }

// Spoken implements game.Spoken.
func (a AboutSave) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(a.Who), "N": a.Free, "Save": game.Word("godbound.save." + a.Save)}
	if a.Save == "" {
		return v.Tell("godbound.about.foe-save", d)
	}
	return v.Tell("godbound.about.save", d)
}

// Spoken implements game.Spoken.
func (a AboutDie) Spoken(v game.Voice) string {
	return v.Tell("godbound.about.die", data{"Modifier": signed(a.Modifier), "Best": a.Best, "N": a.Points})
}

// Spoken implements game.Spoken.
func (a AboutFury) Spoken(v game.Voice) string {
	return v.Tell("godbound.about.fury", data{"Name": v.Name(a.Who), "HP": a.HP, "N": a.Rounds})
}

// Spoken implements game.Spoken.
func (a AboutWorking) Spoken(v game.Voice) string {
	text := Invoked{Who: a.Who, Kind: a.Kind, Name: a.Name, Use: a.Use, Text: a.Text, Targets: []string{a.At}}.Spoken(v)
	if a.Of != "" {
		text += " (" + a.Of + ")"
	}
	return text
}

// Guidance tells what may be set against a power. GB-21, GB-22
func (a AboutWorking) Guidance(v game.Voice) []string {
	return []string{v.Say("godbound.guidance.clash"), v.Say("godbound.guidance.dispel")}
}
