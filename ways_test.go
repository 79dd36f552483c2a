package norn_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
)

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
