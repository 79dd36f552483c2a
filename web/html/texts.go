package html

import (
	"encoding/json"
	"net/url"
	"slices"

	"norn/game"
	"norn/table/view"
)

// maxTexts bounds the descriptions that a card offers.
const maxTexts = 8

// textsOf returns what a move's card names and the reader's view of a sheet describes: that of the
// actor, or of another character that the card is about.
func textsOf(p Page, all []view.CharacterShown, e view.Entry) (texts []Choosing) {
	named := namesIn(e)
	for _, c := range all {
		if c.ID != e.Character && !named[c.ID] {
			continue
		}
		at := Selection{Character: c.ID}
		for _, d := range game.DescribedIn(c.Sheet) {
			text := Choosing{
				ID: c.ID, Name: d.Name,
				Link: p.To("/text" + at.Query() + "&" + url.Values{Own + "described": {d.Name}}.Encode()),
			}
			if named[d.Name] && len(texts) < maxTexts && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// TextsFor returns the descriptions of what has a name on a character's sheet, as the reader sees it.
func TextsFor(all []view.CharacterShown, character, name string) (texts []string) {
	c, _ := found(all, func(c view.CharacterShown) bool { return c.ID == character })
	for _, d := range game.DescribedIn(c.Sheet) {
		if d.Name == name {
			texts = append(texts, d.Description)
		}
	}
	return texts
}

// namesIn returns the texts that stand alone in a move's arguments and events.
func namesIn(e view.Entry) map[string]bool {
	named := map[string]bool{}
	for _, value := range e.Args {
		addNames(named, value)
	}
	for _, line := range e.Lines {
		var data any
		if json.Unmarshal(line.Data, &data) == nil {
			addNames(named, data)
		}
	}
	return named
}

func addNames(named map[string]bool, value any) {
	switch value := value.(type) {
	case string:
		named[value] = true
	case []any:
		for _, item := range value {
			addNames(named, item)
		}
	case map[string]any:
		for _, item := range value {
			addNames(named, item)
		}
	case interface{ Name() string }: // a trait
		named[value.Name()] = true
	}
}
