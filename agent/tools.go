package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is a tool for an agent, as MCP defines it.
type tool struct {
	name, about string
	writes      bool
	asks        bool           // its answer may contain questions for the seat
	takes       map[string]any // JSON Schema of each argument
	needs       []string
	do          func(ctx context.Context, s *Seat, args arguments) (told, error)
}

type arguments = map[string]json.RawMessage

// ownTools lists the tools that combine the answers of several operations.
var ownTools = []*tool{
	{
		name: "moves", about: "What each move of the game needs: the JSON Schema of its arguments, and how it can come out.",
		takes: map[string]any{"move": text("its id, as in look; left out, all that your seat may make")},
		do: func(ctx context.Context, s *Seat, args arguments) (told, error) {
			return s.moves(ctx, plain(args["move"]))
		},
	},
	{
		name: "heroes", about: "What make_hero and edit_sheet need: the game's ready heroes, and the JSON Schema of each kind's sheet.",
		do: func(ctx context.Context, s *Seat, _ arguments) (told, error) { return s.heroes(ctx) },
	},
	{
		name: "rules", about: "The game's rules by their ids, as refusals and cards name them.",
		takes: map[string]any{"id": text("of one rule; left out, all of them")},
		do: func(ctx context.Context, s *Seat, args arguments) (told, error) {
			return s.rules(ctx, plain(args["id"]))
		},
	},
	{
		name: "wait", asks: true, about: "Wait for news: entries after a seq, up to twenty seconds. An empty list says that nothing came; wait again.",
		takes: map[string]any{
			"after":   integerSchema("the seq that you know, as look says", 0, 1<<31-1),
			"seconds": integerSchema("at most so long", 1, maxWait),
		},
		needs: []string{"after"}, do: wait,
	},
}

func text(about string) map[string]any { return map[string]any{"type": "string", "description": about} }

func integerSchema(about string, least, most int) map[string]any {
	return map[string]any{"type": "integer", "description": about, "minimum": least, "maximum": most}
}

// describe returns the tool's description for an agent.
func (t *tool) describe() *mcp.Tool {
	takes := t.takes
	if takes == nil {
		takes = map[string]any{}
	}
	schema := map[string]any{"type": "object", "properties": takes, "additionalProperties": false}
	if t.needs != nil {
		schema["required"] = t.needs
	}
	no := false
	hints := &mcp.ToolAnnotations{ReadOnlyHint: !t.writes, OpenWorldHint: &no}
	if t.writes { // it says nothing of others
		hints.DestructiveHint = &no
	}
	return &mcp.Tool{Name: t.name, Description: t.about, InputSchema: schema, Annotations: hints}
}

// call runs the tool and asks the agent the questions that follow.
func (t *tool) call(ctx context.Context, s *Seat, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if r.Params.RequestState != "" {
		return s.goOn(ctx, r)
	}
	args := arguments{}
	if len(r.Params.Arguments) > 0 {
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
			return problem("the arguments are no JSON object"), nil
		}
	}
	for name := range args {
		if _, ok := t.takes[name]; !ok {
			return problem(fmt.Sprintf("%s takes no %q", t.name, name)), nil
		}
	}
	for _, name := range t.needs {
		if args[name] == nil {
			return problem(fmt.Sprintf("%s needs %q", t.name, name)), nil
		}
	}
	done, err := t.do(ctx, s, args)
	if err != nil {
		return problem(err.Error()), nil
	}
	if t.asks && !done.isRefusal() {
		if asked := s.elicit(ctx, r, done); asked != nil {
			return asked, nil
		}
	}
	return done.result(), nil
}

// problem returns a refusal that the table didn't make.
func problem(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}

// plain returns a value as text for an address.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// seen holds the parts of a view that tools need.
type seen struct {
	Game       string            `json:"game"`
	Moves      []json.RawMessage `json:"moves"`
	Characters []json.RawMessage `json:"characters"`
	Questions  []question        `json:"questions"`
}

// about holds the parts of a game that tools need.
type about struct {
	ID     string            `json:"id"`
	Moves  []json.RawMessage `json:"moves"`
	Rules  []json.RawMessage `json:"rules"`
	Heroes []json.RawMessage `json:"heroes"`
	Kinds  []json.RawMessage `json:"kinds"`
}

// elementID returns an element's id.
func elementID(element json.RawMessage) string {
	var n struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(element, &n) // norn wrote this JSON
	return n.ID
}

// lookAtGame returns the seat's view of the table and its game, or a refusal.
func (s *Seat) lookAtGame(ctx context.Context) (v seen, game about, refused told, err error) {
	look, err := s.here(ctx, http.MethodGet, "", nil, nil)
	if err != nil || look.isRefusal() {
		return v, game, look, err
	}
	games, err := s.ask(ctx, http.MethodGet, "games", nil, nil)
	if err != nil || games.isRefusal() {
		return v, game, games, err
	}
	var all struct {
		Games []about `json:"games"`
	}
	if err := json.Unmarshal(look.body, &v); err != nil {
		return v, game, told{}, err
	}
	if err := json.Unmarshal(games.body, &all); err != nil {
		return v, game, told{}, err
	}
	if i := slices.IndexFunc(all.Games, func(g about) bool { return g.ID == v.Game }); i >= 0 {
		game = all.Games[i]
	}
	return v, game, told{}, nil
}

// moves returns the moves that the seat may make, or one of them.
func (s *Seat) moves(ctx context.Context, one string) (told, error) {
	v, game, refused, err := s.lookAtGame(ctx)
	if err != nil || refused.isRefusal() {
		return refused, err
	}
	may := map[string]bool{}
	for _, m := range v.Moves {
		may[elementID(m)] = one == "" || elementID(m) == one
	}
	return list("moves", slices.DeleteFunc(game.Moves, func(m json.RawMessage) bool { return !may[elementID(m)] }))
}

// rules returns the game's rules, or one of them.
func (s *Seat) rules(ctx context.Context, one string) (told, error) {
	_, game, refused, err := s.lookAtGame(ctx)
	if err != nil || refused.isRefusal() {
		return refused, err
	}
	return list("rules", slices.DeleteFunc(game.Rules, func(r json.RawMessage) bool {
		return one != "" && elementID(r) != one
	}))
}

// heroes returns the game's ready heroes and kinds of character.
func (s *Seat) heroes(ctx context.Context) (told, error) {
	_, game, refused, err := s.lookAtGame(ctx)
	if err != nil || refused.isRefusal() {
		return refused, err
	}
	data, err := json.Marshal(map[string]any{"heroes": game.Heroes, "kinds": game.Kinds})
	return told{http.StatusOK, data}, err
}

func list(name string, elements []json.RawMessage) (told, error) {
	if elements == nil {
		elements = []json.RawMessage{}
	}
	data, err := json.Marshal(map[string]any{name: elements})
	return told{http.StatusOK, data}, err
}

const (
	maxWait = 20 // seconds: a request may take at most 30
	pause   = time.Second
)

// wait polls for news until there are some or the time is over.
func wait(ctx context.Context, s *Seat, args arguments) (told, error) {
	seconds := maxWait
	if given, err := strconv.Atoi(plain(args["seconds"])); err == nil && given >= 1 && given < seconds {
		seconds = given
	}
	until := time.NewTimer(time.Duration(seconds) * time.Second)
	defer until.Stop()
	for {
		news, err := s.here(ctx, http.MethodGet, "/log", url.Values{"after": {plain(args["after"])}}, nil)
		if err != nil || news.isRefusal() {
			return news, err
		}
		var log struct {
			Entries []json.RawMessage `json:"entries"`
		}
		if err := json.Unmarshal(news.body, &log); err != nil || len(log.Entries) > 0 {
			return news, err
		}
		select {
		case <-ctx.Done():
			return told{}, ctx.Err()
		case <-until.C:
			return news, nil
		case <-time.After(pause):
		}
	}
}
