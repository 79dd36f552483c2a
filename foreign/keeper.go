package foreign

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"norn/internal/rows"
	"norn/internal/workbook"
)

// keeperLabel is the text of B4 in each hero's tab.
const keeperLabel = "Player Name (Pronouns)"

// The character keeper is a spreadsheet with one tab a hero, which the bot Vermissian reads. Read from
// its commit d1cd321, src/vermissian/ResistanceCharacterSheet.py: there cells have these places. A tab is
// saved as CSV, the whole as XLSX. It has no mastery, which people decide on each roll.
const keeperTitle = "Character keeper (Google Sheets)"

var (
	keeperStress  = []string{"blood", "mind", "silver", "shadow", "reputation"}
	keeperSkills  = []string{"compel", "deceive", "fight", "fix", "investigate", "pursue", "resist", "sneak", "steal"}
	keeperDomains = []string{
		"academia", "crime", "commerce", "high-society", "low-society", "occult", "order", "religion", "technology",
	}
)

// keeperBoxes lists the texts of boxes to tick. In CSV they're in the language of the spreadsheet: those
// in Russian and Ukrainian are what LibreOffice 7.4.7 writes.
var keeperBoxes = map[string]bool{
	"TRUE": true, "ИСТИНА": true, "ІСТИНА": true,
	"FALSE": false, "ЛОЖЬ": false, "БРЕХНЯ": false, "ХИБНІСТЬ": false,
}

// cells finds cells by their places in a spreadsheet.
type cells struct {
	rows map[int][]string
	seen map[string]bool // places that were read
}

func newCells() cells { return cells{rows: map[int][]string{}, seen: map[string]bool{}} }

// at returns the cell of a column, A to Z, and a row.
func (c cells) at(column byte, row int) node {
	n := node{at: string(column) + strconv.Itoa(row), seen: c.seen}
	if i := int(column - 'A'); i < len(c.rows[row]) && c.rows[row][i] != "" {
		n.is = c.rows[row][i]
	}
	return n
}

// rest lists what other cells of the tab say, a line for each row: its heads and what people have added.
func (c cells) rest() string {
	var lines []string
	for row := 1; row <= maxKeeperRow; row++ {
		var said []string
		for column := byte('A'); column <= 'Z'; column++ {
			n := c.at(column, row)
			_, box := keeperBoxes[strings.ToUpper(n.short())]
			if text, is := n.is.(string); is && !box && !c.seen[n.at] && strings.TrimSpace(text) != "" {
				said = append(said, strings.Join(strings.Fields(printable(text)), " "))
			}
		}
		if said != nil {
			lines = append(lines, "- "+strings.Join(said, "; "))
		}
	}
	return strings.Join(lines, "\n")
}

// maxKeeperRow is the last row of a tab that is read.
const maxKeeperRow = 40

// readKeeper reads a tab that was saved as CSV, or the one hero's tab of a workbook.
func readKeeper(data []byte) (*Hero, error) {
	if workbook.Is(data) {
		tabs, err := readTabs(data)
		if err != nil {
			return nil, err
		}
		return heroOf(tabs)
	}
	if !bytes.Contains(data, []byte(keeperLabel)) {
		return nil, &Problem{Code: Unknown}
	}
	table, err := rows.Read(data, "")
	if err != nil {
		return nil, &Problem{Code: Broken}
	}
	c := newCells()
	for _, row := range table.Rows {
		c.rows[row.Number] = row.Cells
	}
	if !c.isHero() {
		return nil, &Problem{Code: OtherTab}
	}
	return c.hero(), nil
}

// readTabs returns the cells of each tab of a workbook.
func readTabs(data []byte) ([]cells, error) {
	sheets, err := workbook.Read(data, workbook.Area{Rows: maxKeeperRow, Columns: 26})
	switch {
	case errors.Is(err, workbook.ErrNone):
		return nil, &Problem{Code: Unknown}
	case errors.Is(err, workbook.ErrUnpacked):
		return nil, &Problem{Code: Unpacked, Max: workbook.MaxUnpacked}
	case errors.Is(err, workbook.ErrTooDeep):
		return nil, &Problem{Code: Deep, Max: workbook.MaxDepth}
	case err != nil:
		return nil, &Problem{Code: Broken}
	}
	tabs := make([]cells, len(sheets))
	for i, s := range sheets {
		tabs[i] = newCells()
		for _, row := range s.Rows {
			tabs[i].rows[row.Number] = row.Cells
		}
	}
	return tabs, nil
}

// heroOf returns the hero of a workbook. Tabs without a name are empty ones, unless there is no other.
func heroOf(tabs []cells) (*Hero, error) {
	var named, unnamed []*Hero
	for _, c := range tabs {
		if !c.isHero() {
			continue
		}
		if h := c.hero(); h.Name == "" {
			unnamed = append(unnamed, h)
		} else {
			named = append(named, h)
		}
	}
	heroes := named
	if named == nil {
		heroes = unnamed
	}
	switch len(heroes) {
	case 0:
		return nil, &Problem{Code: OtherTab}
	case 1:
		return heroes[0], nil
	}
	var names []string
	for _, h := range heroes[:min(len(heroes), 10)] {
		names = append(names, first(h.Name, "—"))
	}
	return nil, &Problem{Code: SeveralTabs, What: strings.Join(names, ", ")}
}

// isHero reports whether a tab has a hero's form: its label, and boxes to tick where skills and
// domains are.
func (c cells) isHero() bool {
	if c.at('B', 4).text() != keeperLabel {
		return false
	}
	for row := 11; row <= 19; row++ {
		for _, column := range []byte{'H', 'J'} {
			if _, is := keeperBoxes[strings.ToUpper(c.at(column, row).text())]; is {
				return true
			}
		}
	}
	return false
}

// hero reads a hero's tab.
func (c cells) hero() *Hero {
	h := &Hero{System: "spire-keeper", Title: keeperTitle, Name: brief(c.at('D', 5).text())}
	h.readCells(c)
	return h
}

func (h *Hero) readCells(c cells) {
	for i, name := range keeperStress {
		h.readStress(name, c.at('C', 12+i), c.at('D', 12+i), c.at('E', 12+i))
	}
	for i, name := range keeperSkills {
		if n := c.at('H', 11+i); keeperBoxes[strings.ToUpper(n.text())] {
			h.add("skills", Item{"name": {Is: name, From: n.at}})
		}
	}
	for i, name := range keeperDomains {
		if n := c.at('J', 11+i); keeperBoxes[strings.ToUpper(n.text())] {
			h.add("domains", Item{"name": {Is: name, From: n.at}})
		}
	}
	for row := 3; row <= 19; row += 2 { // each with its text below
		if n := c.at('L', row); n.there() {
			h.add("rest", Item{
				"kind": {Is: "ability"}, "name": {Is: brief(n.text()), From: n.at},
				"about": {Is: longer(n.text(), c.at('L', row+1).text()), From: n.at},
			})
		}
	}
	var refresh []string
	for row := 23; row <= 32; row++ {
		if n := c.at('L', row); n.there() {
			h.add("rest", Item{
				"kind": {Is: "knack"}, "name": {Is: brief(n.text()), From: n.at}, "about": {Is: longer(n.text(), "")},
			})
		}
		if n := c.at('O', row); n.there() {
			h.add("gear", Item{
				"name": {Is: brief(n.text()), From: n.at}, "about": {Is: longer(n.text(), ""), From: n.at},
			})
		}
		if n := c.at('R', row); n.there() {
			refresh = append(refresh, n.text())
		}
		if n := c.at('U', row); n.there() {
			bond := Item{"name": {Is: brief(n.text()), From: n.at}}
			if stress := c.at('X', row); stress.there() {
				if m, ok := h.int("bonds", stress); ok {
					bond["stress"] = Value{Is: m, From: stress.at}
				}
			}
			h.add("bonds", bond)
		}
	}
	h.set("refresh", Value{Is: strings.Join(refresh, "; "), From: "R23"})
	h.set("player", c.at('D', 4).value())
	h.set("file rest", Value{Is: c.rest(), From: "A1"})
}

// readStress reads the row of a resistance: free slots, all stress, and the stress that counts for
// fallout because no free slot holds it. Vermissian names the columns so, but reads only the last one.
// Where all stress is missing or doesn't fit the other two, it's their sum.
func (h *Hero) readStress(name string, free, all, counted node) {
	stress := "stress." + name
	h.read("slots."+name, free)
	slots, total, counts := h.count("slots."+name, free), h.count(stress, all), h.count(stress, counted)
	switch {
	case all.there() && (!counted.there() || max(0, total-slots) == counts):
		h.read(stress, all)
		return
	case counts > 0 && slots > 0:
		h.set(stress, Sum{term("counted", counts), term("slots", slots)}.value(counted.at))
	default:
		h.read(stress, counted)
	}
	if all.there() {
		h.doubt(Doubt{Code: Recomputed, Name: stress, From: all.at, Given: all.short(), Used: itoa(h.integer(stress))})
	}
}

// longer returns a text with another below it, "" if a name says all of the first.
func longer(text, below string) string {
	if brief(text) == text {
		text = ""
	}
	return strings.TrimSpace(text + "\n\n" + below)
}
