package script

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// The guide's reference must name all declarations and actions, and nothing else.
func TestTheReferenceNamesEveryFunction(t *testing.T) {
	there := map[string]bool{"out": true}
	for name := range declarations {
		there[name] = true
	}
	for name := range actions {
		there[name] = true
	}
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+)\(`).FindAllStringSubmatch(Reference, -1) {
		said[m[1]] = true
	}
	said["group"] = true // it occurs within a sheet
	if is, want := slices.Sorted(maps.Keys(said)), slices.Sorted(maps.Keys(there)); !slices.Equal(is, want) {
		t.Errorf("the reference has %q,\nand there are %q", is, want)
	}
}

// The guide's reference must list all named arguments of functions, and nothing else.
func TestTheReferenceNamesEveryArgument(t *testing.T) {
	takes := map[string]bool{}
	for _, name := range []string{"declare.go", "run.go", "turns.go", "deck.go", "symbols.go", "offer.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		takenByName(file, func(e ast.Expr) {
			if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if name, err := strconv.Unquote(literal.Value); err == nil {
					takes[name] = true
				}
			}
		})
	}
	for _, byPlace := range []string{"min", "n", "sides"} { // their names are optional
		delete(takes, byPlace)
	}
	given := map[string]bool{}
	for _, m := range regexp.MustCompile(`(\w+) = `).FindAllStringSubmatch(Reference, -1) {
		// names that examples use
		if !slices.Contains([]string{"name", "field", "argument", "one", "other", "who"}, m[1]) {
			given[m[1]] = true
		}
	}
	for name := range given {
		if !takes[name] {
			t.Errorf("%s is in the reference, and nothing takes it", name)
		}
	}
	for name := range takes {
		if !given[name] {
			t.Errorf("something takes %s, and the reference says nothing of it", name)
		}
	}
}

// takenByName calls add with each expression in a file that is the name of an argument.
func takenByName(file *ast.File, add func(ast.Expr)) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr: // d.flag("secret")
			if fn, ok := n.Fun.(*ast.SelectorExpr); ok &&
				slices.Contains([]string{"take", "flag", "word", "function", "number", "list", "takeNamedInt"}, fn.Sel.Name) &&
				len(n.Args) > 0 {
				if of, ok := fn.X.(*ast.Ident); ok && of.Name == "d" {
					add(n.Args[0])
				}
			}
		case *ast.RangeStmt: // for name, into := range map[string]*bool{"secret": …}
			if many, ok := n.X.(*ast.CompositeLit); ok {
				for _, e := range many.Elts {
					switch e := e.(type) {
					case *ast.KeyValueExpr:
						add(e.Key)
					case *ast.CompositeLit:
						add(e.Elts[0])
					default:
						add(e)
					}
				}
			}
		case *ast.CaseClause: // case name == "by"
			for _, e := range n.List {
				ast.Inspect(e, func(n ast.Node) bool {
					if is, ok := n.(*ast.BinaryExpr); ok && is.Op == token.EQL {
						if name, ok := is.X.(*ast.Ident); ok && name.Name == "name" {
							add(is.Y)
						}
					}
					return true
				})
			}
		}
		return true
	})
}
