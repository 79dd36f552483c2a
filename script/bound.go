package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark counts its steps, but one step may work on a text or a list of any size, and make one
// twice as large or a thousand times. So a game's script is changed before it runs: operations on
// values of any size become calls of builtins that limit the result and count the work as steps.
// Operations on small values cost nothing more. No clock is used, so a run takes the same number of
// steps on every machine.

const (
	maxText   = 64 << 10  // bytes of a text that a rule makes
	maxItems  = 16 << 10  // of a list, a tuple or a dict
	maxBits   = 1024      // bits of a number
	maxWeight = 256 << 10 // the work of one operation: a byte of a text, or an eighth of an item

	itemWeight = 8
	stepWeight = 32 // work that counts as one step
)

var errHeavy = wrong("heavy", "Text", maxText, "List", maxItems, "Number", maxBits)

// bounding is the prefix of the names of these builtins. No script can contain such a name.
const bounding = "bound "

// boundOps are the operators whose work or result grows with their operands.
var boundOps = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.PIPE: true, syntax.LTLT: true,
	syntax.EQL: true, syntax.NEQ: true, syntax.LT: true, syntax.LE: true, syntax.GT: true, syntax.GE: true,
	syntax.IN: true, syntax.NOT_IN: true,
}

// grownBy maps assignments that make something larger to their operators.
var grownBy = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.PIPE_EQ: syntax.PIPE, syntax.LTLT_EQ: syntax.LTLT,
}

// methods lists the methods of texts, lists and dicts. Those with true work on the whole value; of
// the others only the arguments count.
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

// heavy lists Starlark's own builtins that work on all of their arguments.
var heavy = []string{
	"all", "any", "bytes", "dict", "enumerate", "fail", "hash", "int", "list", "max", "min", "repr", "reversed",
	"sorted", "str", "tuple", "zip",
}

// boundNames returns the builtins that a changed script calls.
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
			thread.Steps -= 2 // the builtin and its call
			return args[0], worksOn(thread, args[0])
		})
	for _, name := range heavy {
		names[name] = boundCall(starlark.Universe[name].(*starlark.Builtin), nil)
	}
	return names
}

// weigh returns so plus the weight of a value with everything in it. It stops counting above
// maxWeight.
func weigh(v starlark.Value, so int) int {
	add := func(inner starlark.Value) bool {
		if so += itemWeight; so <= maxWeight { // before it looks inside: a list can be in itself
			so = weigh(inner, so)
		}
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
	case starlark.Sequence: // a range, for example, whose numbers are made on demand
		return so + min(v.Len(), maxWeight)*itemWeight
	case starlark.Iterable: // the characters of a text, which don't say how many they are
		each := v.Iterate()
		defer each.Done()
		for one := starlark.Value(nil); each.Next(&one) && add(one); {
		}
	}
	return so
}

// worksOn counts the work on values as steps, and returns an error if they are too large.
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

// countMade counts the work for a new value as steps, and returns an error if it is too large.
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

// sizeOf returns the length of a text or a list, 0 for anything else.
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

// fits returns an error for an operation whose result would be too large, before it's computed.
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

// operator returns a builtin for a binary operator, with limits.
func operator(op syntax.Token) *starlark.Builtin {
	return starlark.NewBuiltin(bounding+op.String(),
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (v starlark.Value,
			err error,
		) {
			thread.Steps-- // the call is one step more than the operator
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

// grower returns a builtin that checks what an assignment would make, and returns its right side.
func grower(op syntax.Token) *starlark.Builtin {
	return starlark.NewBuiltin(bounding+"grow "+op.String(),
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value,
			error,
		) {
			thread.Steps -= 3 // the builtin, its arguments and its call
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

// member returns a builtin that reads a member, which may be a method that works on the whole
// value.
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
		return nil, wrong("no-method", "Name", name, "Got", typeOf(of))
	}
	v, err := has.Attr(name)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, wrong("no-method", "Name", name, "Got", typeOf(of))
	}
	switch of.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict:
		if method, ok := v.(*starlark.Builtin); ok {
			return boundCall(method, of), nil
		}
	}
	return v, nil
}

// getAttr is Starlark's getattr, but returns methods with limits.
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

// boundCall wraps a builtin so that it counts its work: the arguments, and the receiver of a
// method.
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
				if err := countMade(thread, receiver); err != nil { // extend and update make the receiver larger
					return nil, err
				}
			}
			return v, countMade(thread, v)
		})
}

// methodFits returns an error for a call of a text's method whose result would be too large.
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

// bound changes a script so that its operations have limits.
func bound(f *syntax.File) { f.Stmts = (&binder{}).stmts(f.Stmts) }

// binder changes a script. It makes names for values that an assignment must evaluate only once.
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

// once returns statements that store the parts of an assignment's left side in names, so that it
// can be read twice.
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

// copyExpr returns a copy of an assignment's left side, for reading it.
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
	return to // nothing else can become larger
}

// target changes the left side of an assignment.
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

// params changes a function's parameters, some of which have default values.
func (b *binder) params(all []syntax.Expr) []syntax.Expr {
	for _, x := range all {
		if pair, ok := x.(*syntax.BinaryExpr); ok {
			pair.Y = b.expr(pair.Y)
		}
	}
	return all
}

// key changes an index or key.
func (b *binder) key(x syntax.Expr) syntax.Expr {
	if small(x) {
		return x
	}
	pos, _ := x.Span()
	return call("[]", pos, b.expr(x))
}

// small reports whether an expression is a literal that needs no limit.
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

// needsBound reports whether an operator's work may grow. It doesn't if one operand is a number or
// a short literal.
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
		return call("[]", x.Lbrack, x) // counts the copy that it makes
	case *syntax.TupleExpr:
		b.each(x.List, b.expr)
	case *syntax.UnaryExpr:
		if x.X != nil {
			x.X = b.expr(x.X)
		}
	}
	return x
}

// call changes the arguments of a call, but not their names.
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
