package script

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark counts its steps, but one step may work on a text or a list of any size, and make one of twice the size or a
// thousand times it. So a game's text is changed before it runs: what works on values of any size
// is called through builtins that bound what is made and count what is worked on as steps. Values
// of a few words cost nothing more, and no clock is asked: a run takes as many steps on every
// machine.

const (
	maxText   = 64 << 10  // bytes of a text that a rule makes
	maxItems  = 16 << 10  // of a list, a tuple or a dict
	maxBits   = 1024      // of a number
	maxWeight = 256 << 10 // of what one operation works on: a byte of a text, or an eighth of an item

	itemWeight = 8
	stepWeight = 32 // that counts as a step
)

var errHeavy = fmt.Errorf("it's too large: a text has %d bytes at most, a list %d items, a number %d bits", maxText,
	maxItems, maxBits)

// bounding begins the names of the builtins that bound, which no text can write.
const bounding = "bound "

// boundOps are the operators whose work or result grows with their operands.
var boundOps = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.PIPE: true, syntax.LTLT: true,
	syntax.EQL: true, syntax.NEQ: true, syntax.LT: true, syntax.LE: true, syntax.GT: true, syntax.GE: true,
	syntax.IN: true, syntax.NOT_IN: true,
}

// grownBy are the assignments that make something larger, and what they do.
var grownBy = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.PIPE_EQ: syntax.PIPE, syntax.LTLT_EQ: syntax.LTLT,
}

// methods are those of texts, lists and dicts that work on all of it. Of the others only what they're given counts.
var methods = map[string]bool{
	"capitalize": true, "count": true, "endswith": false, "extend": true, "find": true, "format": true, "get": false,
	"index": true, "insert": true,
	"isalnum": true, "isalpha": true, "isdigit": true, "islower": true, "isspace": true, "istitle": true,
	"isupper": true, "items": true,
	"join": true, "keys": true, "lower": true, "lstrip": true, "partition": true, "pop": false, "popitem": false,
	"remove": true, "removeprefix": true,
	"removesuffix": true, "replace": true, "rfind": true, "rindex": true, "rpartition": true, "rsplit": true,
	"rstrip": true, "setdefault": false,
	"split": true, "splitlines": true, "startswith": false, "strip": true, "title": true, "update": true, "upper": true,
	"values": true,
}

// heavy are Starlark's own builtins that work on all that they're given.
var heavy = []string{
	"all", "any", "bytes", "dict", "enumerate", "fail", "hash", "int", "list", "max", "min", "repr", "reversed",
	"sorted", "str", "tuple", "zip",
}

// boundNames are the builtins that a bounded text calls.
func boundNames() starlark.StringDict {
	names := starlark.StringDict{"getattr": starlark.NewBuiltin("getattr", getAttr)}
	for op := range boundOps {
		names[bounding+op.String()] = operator(op)
	}
	for _, op := range grownBy {
		names[bounding+"grow "+op.String()] = grower(op)
	}
	for name := range methods {
		names[bounding+"."+name] = member(name)
	}
	names[bounding+"[]"] = starlark.NewBuiltin(bounding+"[]",
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value,
			error,
		) {
			thread.Steps -= 2 // the builtin, and its call
			return args[0], worksOn(thread, args[0])
		})
	for _, name := range heavy {
		names[name] = boundCall(starlark.Universe[name].(*starlark.Builtin), nil)
	}
	return names
}

// weigh is how much a value is to work on, with all that is in it; more than maxWeight isn't told apart.
func weigh(v starlark.Value, so int) int {
	add := func(inner starlark.Value) bool {
		so = weigh(inner, so+itemWeight)
		return so <= maxWeight
	}
	switch v := v.(type) {
	case starlark.String:
		return so + len(v)
	case starlark.Bytes:
		return so + len(v)
	case starlark.Int:
		if _, small := v.Int64(); !small {
			return so + v.BigInt().BitLen()/8
		}
	case starlark.Tuple:
		for _, one := range v {
			if !add(one) {
				break
			}
		}
	case *starlark.List:
		for i := range v.Len() {
			if !add(v.Index(i)) {
				break
			}
		}
	case *starlark.Dict:
		for key, value := range v.Entries() {
			if !add(key) || !add(value) {
				break
			}
		}
	case starlark.Sequence: // as a range, of numbers that are made as they're asked for
		return so + min(v.Len(), maxWeight)*itemWeight
	}
	return so
}

// worksOn counts work on values as steps, and refuses those that are too large.
func worksOn(thread *starlark.Thread, values ...starlark.Value) error {
	weight := 0
	for _, v := range values {
		if weight = weigh(v, weight); weight > maxWeight {
			return errHeavy
		}
	}
	thread.Steps += uint64(weight / stepWeight)
	return nil
}

// countMade counts what was made as steps, and refuses what is too large.
func countMade(thread *starlark.Thread, v starlark.Value) error {
	weight, most := 0, maxText
	switch v := v.(type) {
	case starlark.String:
		weight = len(v)
	case starlark.Bytes:
		weight = len(v)
	case starlark.Int:
		if _, small := v.Int64(); !small && v.BigInt().BitLen() > maxBits {
			return errHeavy
		}
	case starlark.Sequence:
		switch v.(type) {
		case starlark.Tuple, *starlark.List, *starlark.Dict:
			weight, most = v.Len()*itemWeight, maxItems*itemWeight
		}
	}
	if weight > most {
		return errHeavy
	}
	thread.Steps += uint64(weight / stepWeight)
	return nil
}

// sizeOf is how long a text or a list is, 0 for anything else.
func sizeOf(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	case starlark.Tuple:
		return len(v)
	case *starlark.List:
		return v.Len()
	}
	return 0
}

// fits refuses an operation whose result would be too large, before it's made.
func fits(op syntax.Token, x, y starlark.Value) error {
	most := 0
	switch op {
	case syntax.STAR:
		for _, pair := range [][2]starlark.Value{{x, y}, {y, x}} {
			times, ok := pair[1].(starlark.Int)
			if size := sizeOf(pair[0]); ok && size > 0 {
				if n, small := times.Int64(); !small && times.Sign() > 0 || small && n > int64(maxText/size) {
					return errHeavy
				}
			}
		}
	case syntax.PERCENT:
		if text, ok := x.(starlark.String); ok {
			most = len(text) + strings.Count(string(text), "%")*weigh(y, 0)
		}
	}
	if most > maxWeight {
		return errHeavy
	}
	return nil
}

// operator is a binary operator that is bounded.
func operator(op syntax.Token) *starlark.Builtin {
	return starlark.NewBuiltin(bounding+op.String(),
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (v starlark.Value,
			err error,
		) {
			thread.Steps-- // the call is one more than the operator would be
			x, y := args[0], args[1]
			if err := worksOn(thread, x, y); err != nil {
				return nil, err
			}
			switch op {
			case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
				is, err := starlark.Compare(op, x, y)
				return starlark.Bool(is), err
			}
			if err := fits(op, x, y); err != nil {
				return nil, err
			}
			if v, err = starlark.Binary(op, x, y); err != nil {
				return nil, err
			}
			return v, countMade(thread, v)
		})
}

// grower looks at what an assignment would make, and gives its right side.
func grower(op syntax.Token) *starlark.Builtin {
	return starlark.NewBuiltin(bounding+"grow "+op.String(),
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value,
			error,
		) {
			thread.Steps -= 3 // the builtin, what it's given besides, and its call
			x, y := args[0], args[1]
			if err := worksOn(thread, x, y); err != nil {
				return nil, err
			}
			if n, small := numberOf(y); op == syntax.LTLT && small && n >= 0 && bitsOf(x)+n > maxBits {
				return nil, errHeavy
			}
			if sum := sizeOf(x) + sizeOf(y); op == syntax.PLUS && sum > maxItems && (sum > maxText || isList(x)) ||
				op == syntax.STAR && bitsOf(x)+bitsOf(y) > maxBits {
				return nil, errHeavy
			}
			return y, fits(op, x, y)
		})
}

func isList(v starlark.Value) bool { _, ok := v.(*starlark.List); return ok }

func numberOf(v starlark.Value) (n int, small bool) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	n64, small := i.Int64()
	return int(min(max(n64, -1), maxWeight)), small
}

func bitsOf(v starlark.Value) int {
	if i, ok := v.(starlark.Int); ok {
		return i.BigInt().BitLen()
	}
	return 0
}

// member reads a member that may be a method which works on all of its value.
func member(name string) *starlark.Builtin {
	return starlark.NewBuiltin(bounding+"."+name,
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value,
			error,
		) {
			thread.Steps--
			return memberOf(args[0], name)
		})
}

func memberOf(of starlark.Value, name string) (starlark.Value, error) {
	has, ok := of.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s field or method", of.Type(), name)
	}
	v, err := has.Attr(name)
	if none, missing := errors.AsType[starlark.NoSuchAttrError](err); missing {
		return nil, errors.New(string(none))
	}
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("%s has no .%s field or method", of.Type(), name)
	}
	switch of.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict:
		if method, ok := v.(*starlark.Builtin); ok {
			return boundCall(method, of), nil
		}
	}
	return v, nil
}

// getAttr is Starlark's getattr, which gives methods that are bounded.
func getAttr(_ *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error,
) {
	var of, otherwise starlark.Value
	var name string
	if err := starlark.UnpackPositionalArgs(fn.Name(), args, kwargs, 2, &of, &name, &otherwise); err != nil {
		return nil, err
	}
	v, err := memberOf(of, name)
	if err != nil && otherwise != nil {
		return otherwise, nil
	}
	return v, err
}

// boundCall is a builtin that counts what it works on: what it's given, and the value whose method it is.
func boundCall(of *starlark.Builtin, receiver starlark.Value) *starlark.Builtin {
	return starlark.NewBuiltin(of.Name(),
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			values := append(starlark.Tuple{}, args...)
			for _, pair := range kwargs {
				values = append(values, pair[1])
			}
			if receiver != nil && methods[of.Name()] {
				values = append(values, receiver)
			}
			if err := worksOn(thread, values...); err != nil {
				return nil, err
			}
			if err := methodFits(of.Name(), receiver, values); err != nil {
				return nil, err
			}
			v, err := starlark.Call(thread, of, args, kwargs)
			if err != nil {
				return nil, err
			}
			if receiver != nil {
				if err := countMade(thread, receiver); err != nil { // extend and update grow it
					return nil, err
				}
			}
			return v, countMade(thread, v)
		})
}

// methodFits refuses a call of a text's method whose result would be too large.
func methodFits(name string, receiver starlark.Value, values []starlark.Value) error {
	text, ok := receiver.(starlark.String)
	if !ok {
		return nil
	}
	most := 0
	switch name {
	case "replace":
		if len(values) > 2 {
			old, _ := starlark.AsString(values[0])
			with, _ := starlark.AsString(values[1])
			most = strings.Count(string(text), old) * len(with)
		}
	case "join":
		if list, ok := values[0].(starlark.Sequence); ok {
			most = len(text) * list.Len()
		}
	case "format":
		for _, v := range values {
			most = weigh(v, most)
		}
		most *= strings.Count(string(text), "{") + 1
	}
	if most > maxWeight {
		return errHeavy
	}
	return nil
}

// bound changes a text so that what it does is bounded.
func bound(f *syntax.File) { f.Stmts = (&binder{}).stmts(f.Stmts) }

// binder changes a text; it has names for what an assignment must read only once.
type binder struct{ names int }

func call(name string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{
		Fn: &syntax.Ident{NamePos: pos, Name: bounding + name}, Lparen: pos, Args: args,
		Rparen: pos,
	}
}

func (b *binder) stmts(all []syntax.Stmt) (changed []syntax.Stmt) {
	for _, stmt := range all {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			changed = append(changed, b.once(stmt)...)
			b.assign(stmt)
		case *syntax.DefStmt:
			stmt.Params, stmt.Body = b.params(stmt.Params), b.stmts(stmt.Body)
		case *syntax.ExprStmt:
			stmt.X = b.expr(stmt.X)
		case *syntax.ForStmt:
			stmt.Vars, stmt.X, stmt.Body = b.target(stmt.Vars), b.expr(stmt.X), b.stmts(stmt.Body)
		case *syntax.IfStmt:
			stmt.Cond, stmt.True, stmt.False = b.expr(stmt.Cond), b.stmts(stmt.True), b.stmts(stmt.False)
		case *syntax.ReturnStmt:
			if stmt.Result != nil {
				stmt.Result = b.expr(stmt.Result)
			}
		}
		changed = append(changed, stmt)
	}
	return changed
}

// once has what stands left of an assignment that grows it read into names, so that it can be read twice.
func (b *binder) once(stmt *syntax.AssignStmt) (before []syntax.Stmt) {
	if _, grows := grownBy[stmt.Op]; !grows {
		return nil
	}
	read := func(x syntax.Expr) syntax.Expr {
		switch x.(type) {
		case *syntax.Ident, *syntax.Literal:
			return x
		}
		b.names++
		name := fmt.Sprintf("%s%d", bounding, b.names)
		before = append(before, &syntax.AssignStmt{
			OpPos: stmt.OpPos, Op: syntax.EQ,
			LHS: &syntax.Ident{NamePos: stmt.OpPos, Name: name}, RHS: b.expr(x),
		})
		return &syntax.Ident{NamePos: stmt.OpPos, Name: name}
	}
	switch to := stmt.LHS.(type) {
	case *syntax.IndexExpr:
		to.X, to.Y = read(to.X), read(to.Y)
	case *syntax.DotExpr:
		to.X = read(to.X)
	}
	return before
}

func (b *binder) assign(stmt *syntax.AssignStmt) {
	stmt.RHS = b.expr(stmt.RHS)
	if op, grows := grownBy[stmt.Op]; grows && !(op == syntax.PLUS && isNumber(stmt.RHS)) {
		stmt.RHS = call("grow "+op.String(), stmt.OpPos, copyExpr(stmt.LHS), stmt.RHS)
	}
	stmt.LHS = b.target(stmt.LHS)
}

// copyExpr is what is assigned to, to be read.
func copyExpr(to syntax.Expr) syntax.Expr {
	switch to := to.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: to.NamePos, Name: to.Name}
	case *syntax.Literal:
		again := *to
		return &again
	case *syntax.IndexExpr:
		return &syntax.IndexExpr{X: copyExpr(to.X), Lbrack: to.Lbrack, Y: copyExpr(to.Y), Rbrack: to.Rbrack}
	case *syntax.DotExpr:
		return &syntax.DotExpr{
			X: copyExpr(to.X), Dot: to.Dot, NamePos: to.NamePos,
			Name: &syntax.Ident{NamePos: to.Name.NamePos, Name: to.Name.Name},
		}
	case *syntax.ParenExpr:
		return copyExpr(to.X)
	}
	return to // nothing else can be grown
}

// target is what something is assigned to.
func (b *binder) target(to syntax.Expr) syntax.Expr {
	switch to := to.(type) {
	case *syntax.IndexExpr:
		to.X, to.Y = b.expr(to.X), b.key(to.Y)
	case *syntax.DotExpr:
		to.X = b.expr(to.X)
	case *syntax.ParenExpr:
		to.X = b.target(to.X)
	case *syntax.TupleExpr:
		b.each(to.List, b.target)
	case *syntax.ListExpr:
		b.each(to.List, b.target)
	}
	return to
}

func (b *binder) each(all []syntax.Expr, change func(syntax.Expr) syntax.Expr) {
	for i, x := range all {
		all[i] = change(x)
	}
}

// params are a function's, of which some have values.
func (b *binder) params(all []syntax.Expr) []syntax.Expr {
	for _, x := range all {
		if pair, ok := x.(*syntax.BinaryExpr); ok {
			pair.Y = b.expr(pair.Y)
		}
	}
	return all
}

// key is what something is looked up by.
func (b *binder) key(x syntax.Expr) syntax.Expr {
	if small(x) {
		return x
	}
	pos, _ := x.Span()
	return call("[]", pos, b.expr(x))
}

// small tells whether a value is written out and takes no work.
func small(x syntax.Expr) bool {
	literal, ok := x.(*syntax.Literal)
	if !ok {
		return false
	}
	text, ok := literal.Value.(string)
	return !ok || len(text) <= stepWeight
}

func isNumber(x syntax.Expr) bool {
	literal, ok := x.(*syntax.Literal)
	return ok && literal.Token == syntax.INT
}

// needsBound tells whether an operator's work grows, as it doesn't with a number or a short text beside it.
func needsBound(x *syntax.BinaryExpr) bool {
	switch x.Op {
	case syntax.EQL, syntax.NEQ:
		return boundOps[x.Op] && !small(x.X) && !small(x.Y)
	case syntax.PLUS, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return !isNumber(x.X) && !isNumber(x.Y)
	}
	return boundOps[x.Op]
}

func (b *binder) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		x.X, x.Y = b.expr(x.X), b.expr(x.Y)
		if needsBound(x) {
			return call(x.Op.String(), x.OpPos, x.X, x.Y)
		}
	case *syntax.CallExpr:
		b.call(x)
	case *syntax.Comprehension:
		x.Body = b.expr(x.Body)
		for _, clause := range x.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				clause.Vars, clause.X = b.target(clause.Vars), b.expr(clause.X)
			case *syntax.IfClause:
				clause.Cond = b.expr(clause.Cond)
			}
		}
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = b.expr(x.Cond), b.expr(x.True), b.expr(x.False)
	case *syntax.DictEntry:
		x.Key, x.Value = b.key(x.Key), b.expr(x.Value)
	case *syntax.DictExpr:
		b.each(x.List, b.expr)
	case *syntax.DotExpr:
		x.X = b.expr(x.X)
		if _, method := methods[x.Name.Name]; method {
			return call("."+x.Name.Name, x.Dot, x.X)
		}
	case *syntax.IndexExpr:
		x.X, x.Y = b.expr(x.X), b.key(x.Y)
	case *syntax.LambdaExpr:
		x.Params, x.Body = b.params(x.Params), b.expr(x.Body)
	case *syntax.ListExpr:
		b.each(x.List, b.expr)
	case *syntax.ParenExpr:
		x.X = b.expr(x.X)
	case *syntax.SliceExpr:
		x.X = b.expr(x.X)
		for _, at := range []*syntax.Expr{&x.Lo, &x.Hi, &x.Step} {
			if *at != nil {
				*at = b.expr(*at)
			}
		}
		return call("[]", x.Lbrack, x) // what it has copied counts
	case *syntax.TupleExpr:
		b.each(x.List, b.expr)
	case *syntax.UnaryExpr:
		if x.X != nil {
			x.X = b.expr(x.X)
		}
	}
	return x
}

// call changes what a call is given, and leaves the names of what it's given.
func (b *binder) call(x *syntax.CallExpr) {
	x.Fn = b.expr(x.Fn)
	for i, arg := range x.Args {
		switch arg := arg.(type) {
		case *syntax.BinaryExpr:
			if arg.Op == syntax.EQ {
				arg.Y = b.expr(arg.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if arg.Op == syntax.STAR || arg.Op == syntax.STARSTAR { // all of it is copied
				arg.X = call("[]", arg.OpPos, b.expr(arg.X))
				continue
			}
		}
		x.Args[i] = b.expr(arg)
	}
}
