package table

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"norn/game"
)

// ready fills in what a new character takes from the game's stock, or from a
// character that is there: its kind, its sheet, and where none was given its
// name, numbered where it's taken. Only a GM may.
func readyCharacter(e eye, n NewCharacter) (NewCharacter, error) {
	if n.Stock == "" && n.Like == "" {
		return n, nil
	}
	if !e.viewer.IsGM() {
		return n, &ForbiddenError{}
	}
	name, sheet := "", any(nil)
	switch {
	case n.Like != "":
		c, err := own(e, "like", n.Like)
		if err != nil {
			return n, err
		}
		name, sheet, n.Kind = c.name, c.sheet, c.kind
	default:
		stock := e.st.game.InStock(e.voice.Speaker)
		i := slices.IndexFunc(stock, func(s game.Sample) bool { return s.ID == n.Stock })
		if i < 0 {
			allowed := make([]string, len(stock))
			for i, s := range stock {
				allowed[i] = s.ID
			}
			return n, noChoice("stock", n.Stock, allowed)
		}
		name, sheet, n.Kind = stock[i].Name, stock[i].Sheet, stock[i].Kind
	}
	if n.Name == "" {
		n.Name = numberedName(e, name)
	}
	if n.Sheet == nil && n.Values == nil {
		data, err := json.Marshal(sheet)
		if err != nil {
			return n, err
		}
		n.Sheet = data
	}
	return n, nil
}

// numbered is a name that nobody here has: "Guard", "Guard 2", "Guard 3".
func numberedName(e eye, name string) string {
	base := name
	if at := strings.LastIndexByte(name, ' '); at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 1 {
			base = name[:at]
		}
	}
	here := e.st.characters.here()
	taken := func(name string) bool {
		return slices.ContainsFunc(here, func(c *character) bool { return c.name == name })
	}
	if !taken(base) {
		return base
	}
	for n := 2; ; n++ {
		if next := base + " " + strconv.Itoa(n); !taken(next) {
			return next
		}
	}
}
