package dice

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed dialects.tsv
var dialectTable string

//go:embed words.tsv
var wordTable string

// grammar is a way to read notation: options of the parser, and spellings that are rewritten before
// it.
type grammar struct {
	name, source string
	edition      int
	spellings    [][2]string // and what norn writes for each; of two that match equally much the earlier holds
	index        sync.Once
	byFirst      map[rune][]*spelling // by the runes that they may begin with, once rules has been called

	digits        bool // d66 are two d6 as digits
	all           bool // each step that chooses among dice chooses among all
	exact         bool // divisions keep fractions
	ofTotal       bool // a comparison is about the total
	count         bool // a comparison behind dice counts them, even one, even if none or all fit
	idle          bool // dice may be rerolled for faces that they don't have
	ordered       bool // modifiers are applied as they are written
	explodesFirst bool // dice explode before they are rerolled
	remark        bool // what follows a space is a label
	flat          bool // there are no dice of dice, except with parentheses
	drops         bool // d behind dice drops the lowest, and never throws dice of dice
}

// spelling is a form of other programs, or of words, and what norn writes for it.
type spelling struct {
	from []piece
	to   string // "" and refuse for what norn can't do, with a spelling for most such lines
	deny bool
}

// Dialect is a way to read notation, by the name under which it's asked for.
type Dialect struct {
	Name   string // such as "roll20-3"; its edition is the one of norn that the table belongs to
	Short  string // the name without the edition
	Title  string // the name of the program
	Source string // the program and version that was measured
}

var (
	grammars    = map[string]*grammar{"": {edition: 2}, Second: {edition: 2, name: Second}}
	allDialects []Dialect
	spellingsOf = map[string]map[string][]string{} // by id of words.tsv and language
	numbers     = map[string]string{}              // digits by word
	numberHeads = sync.OnceValue(func() []rune { return heads(slices.Collect(maps.Keys(numbers))) })
	// spellings of values, for the placeholder {v}
	valueSpellings []*spelling
)

// Dialects lists the readings that people choose from, norn's own first.
func Dialects() []Dialect { return slices.Clone(allDialects) }

// Named returns the full name of a reading by its full or its short name, in either case. It
// returns other names unchanged.
func Named(name string) string {
	for _, d := range allDialects {
		if strings.EqualFold(name, d.Short) || strings.EqualFold(name, d.Name) {
			return d.Name
		}
	}
	return name
}

// Title returns the name of the program that a reading is of.
func Title(as string) string {
	for _, d := range allDialects {
		if d.Name == as {
			return d.Title
		}
	}
	return "norn 0.2"
}

func init() {
	own := &grammar{name: Newest, edition: 3, digits: true}
	var words [][2]string
	grammars[Newest] = own
	allDialects = append(allDialects, Dialect{Name: Newest, Short: "norn", Title: "norn"})
	for _, cells := range rows(wordTable) {
		id, core := cells[0], cells[1]
		spellingsOf[id] = map[string][]string{}
		for i, l := range wordLangs {
			all := strings.Split(cells[2+i], " ; ")
			spellingsOf[id][l] = all
			for _, one := range all {
				switch {
				case strings.HasPrefix(id, "n") && strings.Trim(id, "n0123456789") == "":
					for word := range strings.SplitSeq(one, "|") {
						numbers[word] = core
					}
				case strings.HasPrefix(id, "v-"):
					valueSpellings = append(valueSpellings, newSpelling(one, core))
				default:
					words = append(words, [2]string{one, core})
				}
			}
		}
	}
	own.spellings = words
	for _, cells := range rows(dialectTable) {
		name := cells[0] + "-3"
		d := grammars[name]
		if d == nil {
			d = &grammar{name: name, edition: 3, source: cells[3]}
			grammars[name] = d
			allDialects = append(allDialects, Dialect{Name: name, Short: cells[0], Source: cells[3], Title: titleOf(cells[3])})
		}
		if strings.HasPrefix(cells[1], "@") {
			for option := range strings.FieldsSeq(cells[2]) {
				*d.option(option) = true
			}
			continue
		}
		d.spellings = append(d.spellings, [2]string{cells[1], cells[2]})
	}
	for _, d := range grammars {
		if d != own && d.edition >= 3 {
			d.spellings = append(d.spellings, words...)
		}
	}
}

// rules returns the spellings by the runes that they may begin with. Most processes read one grammar of many.
func (d *grammar) rules() map[rune][]*spelling {
	d.index.Do(func() {
		d.byFirst = map[rune][]*spelling{}
		for _, row := range d.spellings {
			s := newSpelling(row[0], row[1])
			for _, first := range s.firsts() {
				d.byFirst[first] = append(d.byFirst[first], s)
			}
		}
	})
	return d.byFirst
}

// wordLangs are the languages of words.tsv, in the order of its columns.
var wordLangs = []string{"en", "ru", "uk"}

// rows returns the cells of a table with a heading; lines that begin with # are remarks.
func rows(table string) (all [][]string) {
	for line := range strings.Lines(table) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			all = append(all, strings.Split(line, "\t"))
		}
	}
	return all[1:]
}

// option returns a field by the name that the table gives it.
func (d *grammar) option(name string) *bool {
	return map[string]*bool{
		"digits": &d.digits, "all": &d.all, "exact": &d.exact, "total": &d.ofTotal, "count": &d.count,
		"idle": &d.idle, "ordered": &d.ordered, "explodes-first": &d.explodesFirst, "remark": &d.remark, "drops": &d.drops, "flat": &d.flat,
	}[name]
}

// titleOf returns the name of a program without its version and what follows.
func titleOf(source string) string {
	name, _, _ := strings.Cut(source, ",")
	at := strings.LastIndexByte(name, ' ')
	if at < 0 || !strings.ContainsAny(name[at:], "0123456789") {
		return name
	}
	return name[:at]
}
