package script

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

const (
	file     = "game.star"
	mostText = 128 << 10 // bytes of game.star
	maxDepth = 60        // brackets in brackets, and blocks in blocks
)

// options are Starlark's: no loop without an end, no recursion, nothing is called twice.
var options = &syntax.FileOptions{TopLevelControl: true}

// scan is what the text says without being run.
type scan struct {
	file  *syntax.File
	uses  map[string]map[string]bool // by what stands at the top, the names that it uses
	reads map[string]map[string]bool // and the members that it reads
	rules map[string]map[string]bool // of them, those that it reads otherwise than to change or tell something
	texts []text                     // all that may be said to people, in their order
	said  map[string]bool            // of them, those that certainly are
}

type text struct {
	text string
	pos  syntax.Position
}

// sayers are called with texts; the names are those of the arguments that are some, "" for what has no name.
var sayers = map[string][]string{
	"tell": {""}, "refuse": {""}, "ask": {"about"}, "out": {""}, "state": {""},
}

// read parses the text and looks for what Starlark takes and a game mustn't have.
func read(source string) (*scan, error) {
	if len(source) > mostText {
		return nil, &Problem{File: file, What: fmt.Sprintf("it has %d bytes; %d are the most", len(source), mostText)}
	}
	if !utf8.ValidString(source) {
		return nil, &Problem{File: file, What: "it isn't UTF-8"}
	}
	if err := shallow(source); err != nil {
		return nil, err
	}
	f, err := options.Parse(file, source, 0)
	if err != nil {
		return nil, problemOf(err)
	}
	s := &scan{
		file: f, uses: map[string]map[string]bool{}, reads: map[string]map[string]bool{},
		rules: map[string]map[string]bool{}, said: map[string]bool{},
	}
	for _, stmt := range f.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.DefStmt:
			s.note(stmt.Name.Name, stmt)
		case *syntax.AssignStmt:
			if name, ok := stmt.LHS.(*syntax.Ident); ok {
				s.note(name.Name, stmt.RHS)
			}
		}
	}
	var wrong *Problem
	docs := map[syntax.Node]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil || wrong != nil {
			return false
		}
		switch n := n.(type) {
		case *syntax.LoadStmt:
			wrong = at(n.Load, "load isn't there: a game is one file")
		case *syntax.BinaryExpr:
			if n.Op == syntax.SLASH {
				wrong = at(n.OpPos, "there are no fractions; use // to divide")
			}
		case *syntax.AssignStmt:
			if n.Op == syntax.SLASH_EQ {
				wrong = at(n.OpPos, "there are no fractions; use //= to divide")
			}
		case *syntax.DefStmt:
			if first, ok := n.Body[0].(*syntax.ExprStmt); ok {
				docs[first.X] = true
			}
		case *syntax.CallExpr:
			s.calls(n)
		case *syntax.Literal:
			if n.Token == syntax.FLOAT {
				wrong = at(n.TokenPos, "there are no fractions: %s is no whole number", n.Raw)
			}
			if said, ok := n.Value.(string); ok && strings.ContainsFunc(said, unseen) {
				wrong = at(n.TokenPos, "%q has a character that nobody sees, and that changes what stands around it; take it out", said)
			}
			if n.Token == syntax.STRING && !docs[n] {
				s.texts = append(s.texts, text{n.Value.(string), n.TokenPos})
			}
		}
		return true
	})
	if wrong != nil {
		return nil, wrong
	}
	return s, nil
}

// unseen tells whether a character isn't written but does something to what is: a control, or one
// that turns the direction of text.
func unseen(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' &&
		r <= '\u2069'
}

// shallow refuses what is nested so deeply that reading it takes no end of room.
func shallow(source string) error {
	depth, line, col := 0, 1, 0
	quote, comment := rune(0), false
	for i, r := range source {
		col++
		switch {
		case r == '\n':
			line, col, comment = line+1, 0, false
			if indent := len(source[i+1:]) - len(strings.TrimLeft(source[i+1:], " \t")); indent > 4*maxDepth {
				return &Problem{
					File: file, Line: line + 1, Col: 1,
					What: "it's nested too deeply; put some of it into a function of its own",
				}
			}
		case comment:
		case quote != 0:
			if r == quote && (i == 0 || source[i-1] != '\\') {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '#':
			comment = true
		case strings.ContainsRune("([{", r):
			if depth++; depth > maxDepth {
				return &Problem{
					File: file, Line: line, Col: col,
					What: "it's nested too deeply; put some of it into a function of its own",
				}
			}
		case strings.ContainsRune(")]}", r):
			depth--
		}
	}
	for _, run := range []string{"-", "+", "~", "not ", "lambda:", " else "} {
		if strings.Contains(source, strings.Repeat(run, 200)) {
			return &Problem{File: file, What: "it's nested too deeply; put some of it into a function of its own"}
		}
	}
	return nil
}

// note remembers what something at the top of the file uses.
func (s *scan) note(name string, of syntax.Node) {
	uses, reads := map[string]bool{}, map[string]bool{}
	syntax.Walk(of, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			uses[n.Name] = true
		case *syntax.DotExpr:
			reads[n.Name.Name] = true
		}
		return true
	})
	rules := map[string]bool{}
	syntax.Walk(of, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			fn, ok := n.Fn.(*syntax.Ident)
			return !ok || fn.Name != "change" && fn.Name != "tell"
		case *syntax.DotExpr:
			rules[n.Name.Name] = true
		}
		return true
	})
	s.uses[name], s.reads[name], s.rules[name] = uses, reads, rules
}

// calls remembers which texts are certainly said to people.
func (s *scan) calls(call *syntax.CallExpr) {
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return
	}
	places := append([]string{"called"}, sayers[fn.Name]...)
	nth := 0
	for _, arg := range call.Args {
		name, value := "", arg
		if pair, ok := arg.(*syntax.BinaryExpr); ok && pair.Op == syntax.EQ {
			if ident, ok := pair.X.(*syntax.Ident); ok {
				name, value = ident.Name, pair.Y
			}
		} else {
			nth++
		}
		if name == "state" {
			s.states(value)
		}
		literal, ok := value.(*syntax.Literal)
		if ok && literal.Token == syntax.STRING && slices.Contains(places, name) &&
			(name != "" || nth == 1 || fn.Name == "refuse" && nth == 2) {
			text := literal.Value.(string)
			s.said[text] = s.said[text] || !ruleID.MatchString(text)
		}
	}
}

// states remembers what a sheet's state may be called: what its function gives.
func (s *scan) states(given syntax.Expr) {
	switch given := given.(type) {
	case *syntax.LambdaExpr:
		s.states(given.Body)
	case *syntax.ParenExpr:
		s.states(given.X)
	case *syntax.CondExpr:
		s.states(given.True)
		s.states(given.False)
	case *syntax.Literal:
		if given.Token == syntax.STRING {
			s.said[given.Value.(string)] = true
		}
	case *syntax.Ident:
		for _, stmt := range s.file.Stmts {
			if def, ok := stmt.(*syntax.DefStmt); ok && def.Name.Name == given.Name {
				syntax.Walk(def, func(n syntax.Node) bool {
					if gives, ok := n.(*syntax.ReturnStmt); ok && gives.Result != nil {
						s.states(gives.Result)
					}
					return true
				})
			}
		}
	}
}

// reach are the names that something uses, with all that these use, the members that they read, and
// those of them by which they decide.
func (s *scan) reach(name string) (uses, reads, rules map[string]bool) {
	uses, reads, rules = map[string]bool{name: true}, map[string]bool{}, map[string]bool{}
	for next := []string{name}; len(next) > 0; {
		at := next[0]
		next = next[1:]
		for member := range s.reads[at] {
			reads[member] = true
		}
		for member := range s.rules[at] {
			rules[member] = true
		}
		for use := range s.uses[at] {
			if !uses[use] {
				uses[use] = true
				next = append(next, use)
			}
		}
	}
	return uses, reads, rules
}

// speaks tells whether a text is one that people may be told: it has words, or something calls it one.
func (s *scan) speaks(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return s.said[text] || strings.ContainsAny(text, " {") || unicode.IsUpper(first)
}

// idOf is a name as ids are written.
func idOf(name string) string { return strings.ReplaceAll(strings.Trim(name, "_"), "_", "-") }

// slug is an id for a text, in which one sees which it is: its letters and digits in Latin, cut where they are many.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		latin, known := latinOf[r]
		switch {
		case known:
			b.WriteString(latin)
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	switch id := strings.Trim(b.String(), "-"); {
	case id == "":
		return "t" + fingerprint(text)
	case len(id) > maxSlug:
		return strings.Trim(id[:maxSlug-7], "-") + "-" + fingerprint(text)[:6]
	default:
		return id
	}
}

const maxSlug = 40

// latinOf says Russian and Ukrainian letters in Latin ones.
var latinOf = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'ґ': "g", 'д': "d", 'е': "e", 'ё': "yo", 'є': "ye", 'ж': "zh", 'з': "z",
	'и': "i", 'і': "i", 'ї': "yi", 'й': "y", 'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r",
	'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "shch", 'ъ': "", 'ы': "y",
	'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
}

func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
