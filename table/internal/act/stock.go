package act

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// ready fills in what a new character takes from the game's stock, or from a
// character that is there: its kind, its sheet, and where none was given its
// name, numbered where it's taken. Only a GM may.
func readyCharacter(e visibility.Eye, n request.NewCharacter) (request.NewCharacter, error) {
	if n.Stock == "" && n.Like == "" {
		return n, nil
	}
	if !e.Viewer.IsGM() {
		return n, &refusal.ForbiddenError{}
	}
	name, sheet := "", any(nil)
	switch {
	case n.Like != "":
		c, err := own(e, "like", n.Like)
		if err != nil {
			return n, err
		}
		name, sheet, n.Kind = c.Name, c.Sheet, c.Kind
	default:
		stock := e.Table.Game.InStock(e.Voice.Speaker)
		i := slices.IndexFunc(stock, func(s game.Sample) bool { return s.ID == n.Stock })
		if i < 0 {
			allowed := make([]string, len(stock))
			for i, s := range stock {
				allowed[i] = s.ID
			}
			return n, refusal.NoChoice("stock", n.Stock, allowed)
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
func numberedName(e visibility.Eye, name string) string {
	base := name
	if at := strings.LastIndexByte(name, ' '); at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 1 {
			base = name[:at]
		}
	}
	here := e.Table.Characters.Here()
	taken := func(name string) bool {
		return slices.ContainsFunc(here, func(c *state.Character) bool { return c.Name == name })
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
