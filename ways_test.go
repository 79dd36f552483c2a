package norn_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"norn/table/act"
)

// These are the ways into a running norn, with the limits of each. A new way must be added here
// with its limits, or the tests below fail. The routes of pages and API are listed in
// web/ways_test.go.
//
// The limits of a way are: the number of connections, the size of a message, its duration, and how
// often one address or account may send one. Changes by a seat at a table are limited by
// table.Config.Writes, through any way.
var (
	// sockets are the calls that open one, by file and function.
	sockets = map[string]string{
		"cmd/norn/internal/server/listen.go listenOn net.Listen":       "the server's: limit.Limiter.Listener, then web/middleware's Guard",
		"cmd/norn/internal/server/listen.go listenAt net.Listen":       "likewise; or for who watches, within watchLimits",
		"cmd/norn/internal/server/serve.go serve http.Server":          "its heads have headerTime and headerBytes, then Guard",
		"cmd/norn/internal/server/domain.go serveRedirect http.Server": "connections as the server's; headerTime and headerBytes, redirects and ACME's challenges alone",
		"cmd/norn/internal/server/health.go watchServer http.Server":   "metrics: headerTime and headerBytes, no bodies are read",
		"cmd/norn/internal/operator/operator.go Listen net.ListenUnix": "opened by its owner alone, or by its group, as its caller says",
		"cmd/norn/internal/operator/operator.go Operate http.Server":   "operatorTime, operatorBytes",
		"cmd/norn/mcp.go sitAgent mcp.IOTransport":                     "the user's own process; at the server it's the API",
		"agent/http.go Handler mcp.NewStreamableHTTPHandler":           "Guard, then the API's limits for each message; maxCall, maxBatch, maxAnswers",
		"chat/discord/gateway.go link websocket.Dialer":                "Discord's own; maxFrame, then chat/bridge's Visits",
	}

	// handlers are the types that serve HTTP themselves.
	handlers = map[string]string{
		"chat/discord Bot":   "web.Config.Hooks, so Guard; signed, maxSigned",
		"chat/telegram Chat": "web.Config.Hooks, so Guard; by a secret, maxBody",
	}

	// platformCalls are the places where a chat platform's handler calls the bridge, which checks
	// the limit Visits for the account, and the table's write limit for the seat.
	platformCalls = map[string]string{
		"chat/discord/answer.go answer Do":         "commands, controls, dialogs",
		"chat/discord/answer.go complete Complete": "what is offered while somebody types",
		"chat/telegram/receive.go handOn Do":       "messages and buttons",
		"chat/telegram/form.go continueForm Do":    "fields of a dialog",
		"chat/telegram/form.go fill Do":            "a dialog filled in",
		"chat/telegram/inline.go inline Do":        "inline odds",
		"chat/telegram/inline.go inline Complete":  "inline suggestions",
		"chat/telegram/receive.go written Moved":   "a group that has moved: Telegram's own word, of no account",
		"chat/telegram/send.go sending Moved":      "likewise",
	}

	// platformEvents are the kinds of events that norn accepts from platforms.
	platformEvents = map[string]string{
		"gateway.EventTypeReady":             "Discord's own",
		"gateway.EventTypeResumed":           "Discord's own",
		"gateway.EventTypeInteractionCreate": "Bot.begin, so Do or Complete",
		"models.AllowedUpdateMessage":        "Chat.written",
		"models.AllowedUpdateCallbackQuery":  "Chat.pressed",
		"models.AllowedUpdateInlineQuery":    "Chat.inline",
	}

	// bodies are the acts that bring JSON or a file as it is, whose cost grows with what is sent,
	// with what limits it in addition to the seat's writes. The gate to long bodies limits all of them.
	bodies = map[string]string{
		"set-list Rows":            aTurn,
		"set-list File":            aTurn,
		"import-character File":    aTurn,
		"add-character Sheet":      "its kind's form, which bounds each text and list",
		"change-character Sheet":   "likewise",
		"change-settings Settings": "the settings' form",
		"call-move Args":           "the move's form",
	}

	// weighty are the calls in package table that read or decode what was sent. Only a function
	// that takes a turn may make them, or one that does so in a turn.
	weighty = map[string]string{
		"act.ReadList":   "ReadList",
		"act.ReadHero":   "ReadHero",
		"picture.InTurn": "AddPicture",
		"attachList":     "do",
		"attachPortrait": "do",
	}
)

// aTurn says that an act takes a turn of its client in table.Seat.do, once the table has room.
const aTurn = "a turn"

// opens are the names of calls that open a way in.
var opens = []string{
	"net.Listen", "net.ListenTCP", "net.ListenUnix", "net.ListenPacket", "net.ListenUDP", "net.ListenConfig",
	"net.FileListener", "tls.Listen",
	"http.ListenAndServe", "http.ListenAndServeTLS", "http.Serve", "http.Server", "websocket.Dialer",
	"websocket.DefaultDialer.Dial",
	"mcp.IOTransport", "mcp.StdioTransport", "mcp.NewStreamableHTTPHandler", "mcp.NewSSEHandler",
}

func TestEveryEntryPointIsListedWithItsLimits(t *testing.T) {
	found := map[string]map[string]bool{
		"socket": {}, "handler": {}, "call of a platform": {},
		"event of a platform": {},
	}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		if d.IsDir() && (slices.Contains([]string{".git", "node_modules", "bin", "tools", "docs", "playtest"}, file) ||
			strings.HasSuffix(file, "test")) {
			return fs.SkipDir // nothing there serves
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range parsed.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Body != nil {
				waysOf(file, f, found)
			}
			if strings.HasPrefix(file, "chat/") {
				ast.Inspect(declared, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok &&
						(strings.HasPrefix(s.Sel.Name, "EventType") ||
							strings.HasPrefix(s.Sel.Name, "AllowedUpdate")) && s.Sel.Name != "EventType" &&
						s.Sel.Name != "AllowedUpdates" {
						found["event of a platform"][selected(s)] = true
					}
					return true
				})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, listed := range map[string]map[string]string{
		"socket": sockets, "handler": handlers,
		"call of a platform": platformCalls, "event of a platform": platformEvents,
	} {
		for way := range found[kind] {
			if listed[way] == "" {
				t.Errorf("a %s that isn't in the list of ways in: %s", kind, way)
			}
		}
		for way := range listed {
			if !found[kind][way] {
				t.Errorf("a %s in the list of ways in that isn't there: %s", kind, way)
			}
		}
	}
}

// waysOf finds the ways in that a function opens.
func waysOf(file string, f *ast.FuncDecl, found map[string]map[string]bool) {
	if f.Name.Name == "ServeHTTP" && f.Recv != nil {
		of := f.Recv.List[0].Type
		if p, ok := of.(*ast.StarExpr); ok {
			of = p.X
		}
		found["handler"][path.Dir(file)+" "+of.(*ast.Ident).Name] = true
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := selected(s)
		if slices.Contains(opens, name) {
			found["socket"][file+" "+f.Name.Name+" "+name] = true
		}
		of := name[:max(strings.LastIndex(name, "."), 0)]
		if strings.HasPrefix(file, "chat/") && strings.HasSuffix(strings.ToLower(of), "hearer") &&
			slices.Contains([]string{"Do", "Complete", "Moved"}, s.Sel.Name) {
			found["call of a platform"][file+" "+f.Name.Name+" "+s.Sel.Name] = true
		}
		return true
	})
}

// selected returns a selector as it's written, "http.Server".
func selected(s *ast.SelectorExpr) string {
	switch of := s.X.(type) {
	case *ast.Ident:
		return of.Name + "." + s.Sel.Name
	case *ast.SelectorExpr:
		return selected(of) + "." + s.Sel.Name
	}
	return "." + s.Sel.Name
}

// Every goroutine of a server recovers: a panic in one without would end the process, and all
// tables with it. A function is started through package rescue, or calls it.
func TestEveryGoroutineRecovers(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		if d.IsDir() && (slices.Contains([]string{".git", "node_modules", "bin", "tools", "docs", "playtest"}, file) ||
			strings.HasSuffix(file, "test")) {
			return fs.SkipDir // nothing there serves
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			var started ast.Expr
			switch n := n.(type) {
			case *ast.GoStmt:
				started = n.Call.Fun
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" && len(n.Args) == 1 {
					started = n.Args[0]
				}
			}
			if started == nil {
				return true
			}
			found++
			if !rescues(started) {
				t.Errorf("%s: a goroutine that doesn't recover", files.Position(n.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("only %d goroutines found", found)
	}
}

// rescues reports whether a function is made by package rescue, or calls it.
func rescues(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if ok && slices.Contains([]string{"rescue.Wrap", "rescue.Repeat", "rescue.Run"}, selected(s)) {
			found = true
		}
		return !found
	})
	return found
}

// An act whose cost grows with its body says what limits it, and those that are read as a whole take a
// turn where that's done: in package table, whichever way they came.
func TestEveryActWithALargeBodyHasALimit(t *testing.T) {
	found := map[string]bool{}
	turning := map[string]bool{}
	for _, d := range act.All {
		request, _ := d.New().Request()
		of := reflect.TypeOf(request)
		if of.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(of) {
			if f.Type != reflect.TypeFor[json.RawMessage]() && f.Type != reflect.TypeFor[[]byte]() {
				continue
			}
			name := d.Name + " " + f.Name
			found[name] = true
			switch bodies[name] {
			case "":
				t.Errorf("%s: an act that brings as much as is sent, without a limit in the list", name)
			case aTurn:
				if !d.File {
					t.Errorf("%s takes a turn, and isn't marked as one that brings a file", name)
				}
				turning["act."+of.Name()] = true
			}
		}
	}
	for name := range bodies {
		if !found[name] {
			t.Errorf("%s is in the list of acts that bring much, and isn't there", name)
		}
	}
	calls := map[string]bool{}
	files, err := filepath.Glob("table/*.go")
	if err != nil {
		t.Fatal(err)
	}
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
			if !ok || f.Body == nil {
				continue
			}
			made := callsIn(f)
			for name, in := range weighty {
				if !made[name] {
					continue
				}
				calls[name] = true
				if f.Name.Name != in || !made["takeTurn"] && !made["s.admit"] {
					t.Errorf("%s: %s calls %s without a turn", file, f.Name.Name, name)
				}
			}
			if f.Name.Name == "do" {
				for request := range turning {
					if !admits(f, request) {
						t.Errorf("%s: %s isn't admitted before it's read", file, request)
					}
				}
			}
		}
	}
	for name := range weighty {
		if !calls[name] {
			t.Errorf("nothing calls %s", name)
		}
	}
}

// callsIn returns the names of the functions that a function calls.
func callsIn(f *ast.FuncDecl) map[string]bool {
	calls := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			switch called := c.Fun.(type) {
			case *ast.Ident:
				calls[called.Name] = true
			case *ast.SelectorExpr:
				calls[selected(called)] = true
			}
		}
		return true
	})
	return calls
}

// admits reports whether a function has a case for a type of request that calls admit.
func admits(f *ast.FuncDecl, request string) (found bool) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CaseClause)
		if !ok || len(c.List) != 1 {
			return true
		}
		if of, ok := c.List[0].(*ast.SelectorExpr); !ok || selected(of) != request {
			return true
		}
		of := &ast.FuncDecl{Body: &ast.BlockStmt{List: c.Body}}
		found = found || callsIn(of)["s.admit"]
		return true
	})
	return found
}
