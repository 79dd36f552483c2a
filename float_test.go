package norn_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayFloat lists, for each package, the declarations that may use floating-point numbers: a chance
// for display, or a number in JSON before it's converted to an int. They decide nothing.
var mayFloat = map[string][]string{
	"odds": {
		"Aligned.Sum", "Bar", "Float", "Likeliest", "Odds.StandardError", "decimal", "table", // for display
	},
	"game":       {"Game.choice", "texts"}, // numbers in JSON
	"games/mage": {"percent"},              // a forecast in words
	// "probability" next to each exact fraction
	"table/view":                {"Advice", "Luck", "Luck.append", "LuckOf", "SeatLuck"},
	"table/act":                 {"valueName"},                                 // a number in JSON
	"table/internal/projection": {"wordAdvice", "Fortune.Luck", "teller.note"}, // likewise
}

// exact lists the packages that compute weights, chances and rules. Except for mayFloat they use no
// float, neither as a type nor as a constant nor between two integers. Packages of pages only show
// numbers, so they aren't listed.
var exact = []string{"dice", "distribution", "rule", "odds", "game", "games/...", "internal/bare", "table/..."}

func TestExactPackagesUseFloatsOnlyWhereListed(t *testing.T) {
	found := map[string]map[string]token.Position{}
	for _, p := range typed(t, exact) {
		found[p.name] = p.floats()
	}
	for name, floats := range found {
		for declared, at := range floats {
			if !slices.Contains(mayFloat[name], declared) {
				t.Errorf("%s: %s of %s holds a float", at, declared, name)
			}
		}
	}
	for name, listed := range mayFloat {
		for _, declared := range listed {
			if _, ok := found[name][declared]; !ok {
				t.Errorf("%s of %s holds no float and needs no place in mayFloat", declared, name)
			}
		}
	}
}

func TestFloatCheckFindsDeclarationsWithFloats(t *testing.T) {
	for source, want := range map[string][]string{
		"func (c *cup) shake(n int) int { return n }":         nil,
		"func (c *cup) spill(n int) int { return n * 3. }":    {"cup.spill"},
		"func ceil(n int) int { return int(float32(n) + 0) }": {"ceil"},
		"func take(c chance) bool { return c.p > 0 }":         {"take"},
		"const half = 1 / 2.0":                                {"half"},
		"const big = 1e3":                                     {"big"},
		"var most = max(1.5, 2)":                              {"most"},
		"type law struct{ p []float32 }":                      {"law"},
		"type of[T ~int | ~float64] struct{ a T }":            {"of"},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "cup.go",
			"package cup; type cup struct{}; type chance struct{ p float64 }; "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := checked{name: "cup", fset: fset, files: []*ast.File{file}}
		if err := p.check(nil); err != nil {
			t.Fatal(source, err)
		}
		found := p.floats()
		delete(found, "chance")
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
			t.Errorf("%s: found in %v, want %v", source, got, want)
		}
	}
}

// checked is a package with its types.
type checked struct {
	name  string
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
}

func (p *checked) check(imports types.Importer) error {
	p.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	_, err := (&types.Config{Importer: imports}).Check(p.name, p.fset, p.files, &p.info)
	return err
}

// floats returns the declarations of a package that use a float, with their positions.
func (p *checked) floats() map[string]token.Position {
	found := map[string]token.Position{}
	for _, file := range p.files {
		for _, d := range file.Decls {
			for name, node := range declared(d) {
				ast.Inspect(node, func(n ast.Node) bool {
					if e, ok := n.(ast.Expr); ok && p.float(e) {
						if _, known := found[name]; !known {
							found[name] = p.fset.Position(e.Pos())
						}
					}
					return true
				})
			}
		}
	}
	return found
}

func (p *checked) float(e ast.Expr) bool {
	if lit, ok := e.(*ast.BasicLit); ok && (lit.Kind == token.FLOAT || lit.Kind == token.IMAG) {
		return true // even if it's used as an int
	}
	of := p.info.Types[e].Type
	if id, ok := e.(*ast.Ident); ok && of == nil && p.info.Defs[id] != nil {
		of = p.info.Defs[id].Type()
	}
	if of == nil {
		return false
	}
	basic, ok := of.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0
}

// declared returns the names that a declaration declares.
func declared(d ast.Decl) map[string]ast.Node {
	all := map[string]ast.Node{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := types.ExprString(d.Recv.List[0].Type)
			of, _, _ = strings.Cut(strings.TrimPrefix(of, "*"), "[")
			name = of + "." + name
		}
		all[name] = d
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				all[s.Name.Name] = s
			case *ast.ValueSpec:
				all[s.Names[0].Name] = s
			}
		}
	}
	return all
}

// typed type-checks packages, using the compiler's export data for the others.
func typed(t *testing.T, patterns []string) []*checked {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,DepOnly"}
	for _, p := range patterns {
		args = append(args, "./"+p)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	exports := map[string]string{}
	var ours []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly {
			ours = append(ours, l)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	var all []*checked
	for _, l := range ours {
		p := &checked{name: strings.TrimPrefix(l.ImportPath, "norn/"), fset: fset}
		for _, name := range l.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, file)
		}
		if err := p.check(imports); err != nil {
			t.Fatal(err)
		}
		p.files = slices.DeleteFunc(p.files, func(f *ast.File) bool {
			return strings.HasSuffix(fset.Position(f.Pos()).Filename, "_templ.go")
		})
		all = append(all, p)
	}
	return all
}
