package script

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

const (
	file      = "game.star"
	maxSource = 128 << 10 // bytes of game.star
	maxDepth  = 60        // nested brackets and blocks
)

// options configure Starlark: no endless loops, no recursion, no repeated names.
var options = &syntax.FileOptions{TopLevelControl: true}

// scan holds what is known of a script without running it.
type scan struct {
	file  *syntax.File
	uses  map[string]map[string]bool // by global name, the names that it uses
	reads map[string]map[string]bool // by global name, the members that it reads
	rules map[string]map[string]bool // the members that it reads for other purposes than changes and texts
	// by global name, the texts in it: a rule may read a member by one of them, as in me[stat]
	names map[string]map[string]bool
	texts []text          // all texts that people may see, in order
	said  map[string]bool // the texts that people certainly see
	flows map[string]bool // the texts that may reach people, from where they're written
}

type text struct {
	text string
	pos  syntax.Position
}

// sayers maps functions to the names of their arguments that are texts, "" for positional ones.
var sayers = map[string][]string{
	"tell": {""}, "refuse": {""}, "ask": {"about"}, "out": {""}, "state": {""},
}

// read parses the script and checks for features of Starlark that a game mustn't use.
func read(source string) (*scan, error) {
	if len(source) > maxSource {
		return nil, &Problem{File: file, What: wrong("bytes", "Len", len(source), "Max", maxSource)}
	}
	if !utf8.ValidString(source) {
		return nil, &Problem{File: file, What: wrong("utf8")}
	}
	if err := shallow(source); err != nil {
		return nil, err
	}
	f, err := options.Parse(file, source, 0)
	if spelling, wrong := errors.AsType[syntax.Error](err); wrong {
		return nil, syntaxProblem(source, spelling)
	}
	if err != nil {
		return nil, problemOf(err)
	}
	s := &scan{
		file: f, uses: map[string]map[string]bool{}, reads: map[string]map[string]bool{},
		rules: map[string]map[string]bool{}, names: map[string]map[string]bool{}, said: map[string]bool{},
		flows: map[string]bool{},
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
	kept := s.unseenTexts()
	var found *Problem
	docs := map[syntax.Node]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil || found != nil {
			return false
		}
		switch n := n.(type) {
		case *syntax.LoadStmt:
			found = at(n.Load, wrong("load"))
		case *syntax.BinaryExpr:
			if n.Op == syntax.SLASH {
				found = at(n.OpPos, wrong("divide", "Op", "//"))
			}
		case *syntax.AssignStmt:
			if n.Op == syntax.SLASH_EQ {
				found = at(n.OpPos, wrong("divide", "Op", "//="))
			}
		case *syntax.DefStmt:
			if first, ok := n.Body[0].(*syntax.ExprStmt); ok {
				docs[first.X] = true
			}
		case *syntax.CallExpr:
			s.calls(n)
		case *syntax.Literal:
			if n.Token == syntax.FLOAT {
				found = at(n.TokenPos, wrong("fraction", "Number", n.Raw))
			}
			if said, ok := n.Value.(string); ok && strings.ContainsFunc(said, unseen) {
				found = at(n.TokenPos, wrong("unseen", "Text", strconv.Quote(said)))
			}
			if n.Token == syntax.STRING && !docs[n] {
				said := n.Value.(string)
				s.texts = append(s.texts, text{said, n.TokenPos})
				s.flows[said] = s.flows[said] || !kept[n]
			}
		}
		return true
	})
	if found != nil {
		return nil, found
	}
	return s, nil
}

// textMethods lists the methods of texts that take one apart or compare it, so that what they're
// called on and with isn't shown as it's written.
var textMethods = map[string]bool{
	"count": true, "endswith": true, "find": true, "format": true, "index": true, "join": true, "lstrip": true,
	"partition": true, "removeprefix": true, "removesuffix": true, "replace": true, "rfind": true, "rindex": true,
	"rpartition": true, "rsplit": true, "rstrip": true, "split": true, "splitlines": true, "startswith": true,
	"strip": true,
}

// builds are the operators whose operands aren't shown as they're written.
var builds = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.PERCENT: true, syntax.STAR: true, syntax.EQL: true, syntax.NEQ: true, syntax.LT: true,
	syntax.LE: true, syntax.GT: true, syntax.GE: true, syntax.IN: true, syntax.NOT_IN: true,
}

// unseenTexts returns the texts that a rule only works with: it takes them apart, compares them or
// builds others of them, in place or by a name that is used for nothing else. Nobody is shown them.
func (s *scan) unseenTexts() map[syntax.Node]bool {
	unseen := map[syntax.Node]bool{}
	syntax.Walk(s.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if method, ok := n.Fn.(*syntax.DotExpr); ok && textMethods[method.Name.Name] {
				unseen[method.X] = true
				for _, arg := range n.Args {
					unseen[arg] = true
				}
			}
		case *syntax.BinaryExpr:
			if builds[n.Op] {
				unseen[n.X], unseen[n.Y] = true, true
			}
		case *syntax.IndexExpr:
			unseen[n.Y] = true
		}
		return true
	})
	names := map[string][]syntax.Node{} // the texts that a name is assigned
	set, shown := map[syntax.Node]bool{}, map[string]bool{}
	syntax.Walk(s.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			name, named := n.LHS.(*syntax.Ident)
			if literal, ok := n.RHS.(*syntax.Literal); ok && named && n.Op == syntax.EQ {
				names[name.Name], set[name] = append(names[name.Name], literal), true
			}
		case *syntax.Ident:
			shown[n.Name] = shown[n.Name] || !set[n] && !unseen[n]
		}
		return true
	})
	for name, texts := range names {
		for _, text := range texts {
			unseen[text] = unseen[text] || !shown[name]
		}
	}
	return unseen
}

// unseen reports whether a character is invisible but affects others: a control character, or one
// that changes the direction of text.
func unseen(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' &&
		r <= '\u2069'
}

// shallow returns an error for deeply nested text, which would take too much memory to parse.
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
					What: wrong("deep"),
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
					What: wrong("deep"),
				}
			}
		case strings.ContainsRune(")]}", r):
			depth--
		}
	}
	for _, run := range []string{"-", "+", "~", "not ", "lambda:", " else "} {
		if strings.Contains(source, strings.Repeat(run, 200)) {
			return &Problem{File: file, What: wrong("deep")}
		}
	}
	return nil
}

// anyMember replaces the name of a member that isn't written where it's read.
const anyMember = "[]"

// memberRead returns the name of the member that an expression reads, "" if it reads none: me.nerve,
// me["nerve"], me[stat], getattr(me, "nerve").
func memberRead(n syntax.Node) string {
	named := func(name syntax.Expr) string {
		if literal, ok := name.(*syntax.Literal); ok {
			text, _ := literal.Value.(string) // "" for a number, which is a place in a list
			return text
		}
		return anyMember
	}
	switch n := n.(type) {
	case *syntax.DotExpr:
		return n.Name.Name
	case *syntax.IndexExpr:
		return named(n.Y)
	case *syntax.CallExpr:
		if fn, ok := n.Fn.(*syntax.Ident); ok && fn.Name == "getattr" && len(n.Args) > 1 {
			return named(n.Args[1])
		}
	}
	return ""
}

// note records what a global definition uses.
func (s *scan) note(name string, of syntax.Node) {
	uses, reads, rules, names := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	syntax.Walk(of, func(n syntax.Node) bool {
		if member := memberRead(n); member != "" {
			reads[member] = true
		}
		switch n := n.(type) {
		case *syntax.Ident:
			uses[n.Name] = true
		case *syntax.Literal:
			if text, ok := n.Value.(string); ok {
				names[text] = true
			}
		}
		return true
	})
	syntax.Walk(of, func(n syntax.Node) bool {
		if member := memberRead(n); member != "" {
			rules[member] = true
		}
		if call, ok := n.(*syntax.CallExpr); ok {
			fn, ok := call.Fn.(*syntax.Ident)
			return !ok || fn.Name != "change" && fn.Name != "tell"
		}
		return true
	})
	s.uses[name], s.reads[name], s.rules[name], s.names[name] = uses, reads, rules, names
}

// calls records the texts that people certainly see.
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

// states records the possible names of a sheet's state: the results of its function.
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

// reached holds the names that a rule uses, directly or not.
type reached struct {
	uses  map[string]bool // global names
	reads map[string]bool // members
	rules map[string]bool // members that affect decisions
	names map[string]bool // texts
}

// reach returns what something uses, directly or not.
func (s *scan) reach(name string) reached {
	r := reached{map[string]bool{name: true}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for next := []string{name}; len(next) > 0; {
		at := next[0]
		next = next[1:]
		maps.Copy(r.reads, s.reads[at])
		maps.Copy(r.rules, s.rules[at])
		maps.Copy(r.names, s.names[at])
		for use := range s.uses[at] {
			if !r.uses[use] {
				r.uses[use] = true
				next = append(next, use)
			}
		}
	}
	return r
}

// returnsValue reports whether a function may return a value of its own: something else than None and
// than what a function returns that only says, asks or changes something.
func (s *scan) returnsValue(name string) bool {
	found := false
	for _, stmt := range s.file.Stmts {
		def, ok := stmt.(*syntax.DefStmt)
		if !ok || def.Name.Name != name {
			continue
		}
		syntax.Walk(def, func(n syntax.Node) bool {
			if inner, ok := n.(*syntax.DefStmt); ok && inner != def {
				return false // what a function inside of it returns
			}
			if given, ok := n.(*syntax.ReturnStmt); ok && given.Result != nil {
				found = found || hasValue(given.Result)
			}
			return true
		})
	}
	return found
}

func hasValue(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return hasValue(e.X)
	case *syntax.Ident:
		return e.Name != "None"
	case *syntax.CallExpr:
		name, ok := e.Fn.(*syntax.Ident)
		return ok && (strings.HasPrefix(name.Name, bounding) || throwing(map[string]bool{name.Name: true}) ||
			slices.Contains([]string{"part", "max", "min", "len", "abs", "int"}, name.Name))
	case *syntax.CondExpr:
		return hasValue(e.True) || hasValue(e.False)
	}
	return true
}

// speaks reports whether people may see a text: it has several words or begins in upper case, or a
// function shows it.
func (s *scan) speaks(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return s.said[text] || strings.ContainsAny(text, " {") || unicode.IsUpper(first)
}

// idOf returns the id for a name.
func idOf(name string) string { return strings.ReplaceAll(strings.Trim(name, "_"), "_", "-") }

// slug returns a recognizable id for a text: its letters and digits in Latin, shortened if there
// are many.
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

// latinOf transliterates Russian and Ukrainian letters.
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
