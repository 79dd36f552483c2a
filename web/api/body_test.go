package api

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"norn/internal/limit"
	"norn/odds"
)

// A long body waits while its address has an expensive request in progress, a short one doesn't.
func TestLongBodiesOfAnAddressAreReadOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{Config: Config{Gate: odds.NewGate(2, 1, time.Second)}}
		heard := func(from, key string) error {
			c := call{from: from, body: []byte(`{"key":"` + key + `"}`)}
			_, _, err := read(context.WithValue(t.Context(), callKey{}, c), s, keyBody)
			return err
		}
		leave, err := s.Gate.Enter(t.Context(), "192.0.2.7", "anna")
		if err != nil {
			t.Fatal(err)
		}
		long := strings.Repeat("k", longBody)
		if often := limit.As(heard("192.0.2.7", long)); often == nil || often.Limit != "dear" {
			t.Errorf("a long body is read beside odds: %v", often)
		}
		if often := limit.As(heard("192.0.2.7", "k")); often != nil {
			t.Errorf("a short body waits: %v", often)
		}
		if often := limit.As(heard("192.0.2.8", long)); often != nil {
			t.Errorf("a long body of another address waits: %v", often)
		}
		leave()
		if often := limit.As(heard("192.0.2.7", long)); often != nil {
			t.Errorf("the place isn't given back: %v", often)
		}
	})
}

// Every operation's body is read in turn: nothing else takes it from the call.
func TestBodiesAreTakenFromTheCallInOnePlace(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok || s.Sel.Name != "body" {
					return true
				}
				if id, named := s.X.(*ast.Ident); named && id.Name != "c" {
					return true // a member of something else
				}
				found++
				if f.Name.Name != "readInTurn" && f.Name.Name != "readCall" {
					t.Errorf("%s: %s takes the body past the turn of long ones", file, f.Name.Name)
				}
				return true
			})
		}
	}
	if found == 0 {
		t.Error("no body is taken")
	}
}
