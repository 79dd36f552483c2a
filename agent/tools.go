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

// A tool is something that an agent can do.
type tool struct {
	name, about string
	writes      bool
	takes       map[string]any // JSON Schema of each argument
	needs       []string
	do          func(ctx context.Context, s *Seat, args arguments) (told, error)
	asks        bool // what it answers may hold questions that wait for the seat
}

type arguments = map[string]json.RawMessage

func text(about string) map[string]any { return map[string]any{"type": "string", "description": about} }

func flag(about string) map[string]any {
	return map[string]any{"type": "boolean", "description": about}
}

func object(about string) map[string]any {
	return map[string]any{"type": "object", "description": about, "additionalProperties": true}
}

func whole(about string, least, most int) map[string]any {
	return map[string]any{"type": "integer", "description": about, "minimum": least, "maximum": most}
}

const keyed = "any text of your own for this one act: sent again with the same key it's done once"

var tools = []*tool{
	{
		name: "look", about: "The table as your seat sees it: characters with their sheets, moves that you may make, open questions, who is there.",
		do: func(ctx context.Context, s *Seat, _ arguments) (told, error) {
			return s.here(ctx, http.MethodGet, "", nil, nil)
		},
	},
	{
		name: "moves", about: "What each move of the game needs: the JSON Schema of its arguments, and how it can come out. With move, of that one alone.",
		takes: map[string]any{"move": text("its id, as in look; left out, all that your seat may make")},
		do: func(ctx context.Context, s *Seat, args arguments) (told, error) {
			return s.moves(ctx, plain(args["move"]))
		},
	},
	{
		name: "odds", about: "The exact odds of a move with a character's own numbers. Nothing is thrown.",
		takes: map[string]any{
			"move": text("its id"), "character": text("id of who makes it"), "args": object("as moves says"),
			"aim":     text("id of an outcome to aim for: questions get the best answers for it"),
			"choices": object("answers to questions, by the question's id"),
		},
		needs: []string{"move"}, do: posted("/odds"),
	},
	{
		name: "make_move", writes: true, asks: true,
		about: "Make a move: norn throws and says what comes of it. A question that opens waits for its answer.",
		takes: map[string]any{
			"move": text("its id"), "character": text("id of who makes it"), "args": object("as moves says"),
			"secret": flag("a game master's: only game masters see it"), "key": text(keyed),
			"dice":   map[string]any{"type": "array", "items": map[string]any{"type": "integer"}, "description": "faces of dice thrown by hand, in order"},
			"byHand": flag("ask for the faces of every throw"),
		},
		needs: []string{"move"}, do: posted("/moves"),
	},
	{
		name: "take_offer", writes: true, asks: true, about: "Take an offer: a move that the rules leave to you and nobody waits for, as look shows under offers.",
		takes: map[string]any{
			"offer": text("its id"), "key": text(keyed),
			"dice":   map[string]any{"type": "array", "items": map[string]any{"type": "integer"}, "description": "faces of dice thrown by hand, in order"},
			"byHand": flag("ask for the faces of every throw"),
		},
		needs: []string{"offer"}, do: posted("/offers"),
	},
	{
		name: "answer", writes: true, asks: true, about: "Answer an open question of yours.",
		takes: map[string]any{"question": text("its id"), "answer": object("as the question's schema says"), "key": text(keyed)},
		needs: []string{"question", "answer"}, do: posted("/answers"),
	},
	{
		name: "talk", writes: true, about: "Say something at the table, as yourself or as a character of yours.",
		takes: map[string]any{
			"text": text("at most 2000 characters"), "character": text("id of who speaks"), "secret": flag("only game masters hear it"),
			"to": text("id of the seat that it's whispered to"), "key": text(keyed),
		},
		needs: []string{"text"}, do: posted("/talk"),
	},
	{
		name: "undo", writes: true, about: "Take back what you changed, or, as a game master, anything.",
		takes: map[string]any{"seq": whole("of any entry of it, as in log", 1, 1<<31-1), "key": text(keyed)},
		needs: []string{"seq"}, do: posted("/undo"),
	},
	{
		name: "log", about: "What happened, as your seat may know it, oldest first.",
		takes: map[string]any{
			"after": whole("entries after this seq", 0, 1<<31-1), "limit": whole("at most so many, 100 unless given", 1, 1000),
			"find": text("words that must be in it; then it's the newest that was found"), "before": whole("of a search: what began before this seq", 1, 1<<31-1),
			"part": map[string]any{"type": "string", "enum": []string{"mine", "throws", "talk"}, "description": "only a part of it"},
		},
		do: func(ctx context.Context, s *Seat, args arguments) (told, error) {
			query := url.Values{}
			for name, value := range args {
				query.Set(name, plain(value))
			}
			return s.here(ctx, http.MethodGet, "/log", query, nil)
		},
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
		takes: map[string]any{"after": whole("the seq that you know, as look says", 0, 1<<31-1), "seconds": whole("at most so long", 1, mostWait)},
		needs: []string{"after"}, do: wait,
	},
}

// described is the tool as an agent reads of it.
func (t *tool) described() *mcp.Tool {
	takes := t.takes
	if takes == nil {
		takes = map[string]any{}
	}
	schema := map[string]any{"type": "object", "properties": takes, "additionalProperties": false}
	if t.needs != nil {
		schema["required"] = t.needs
	}
	no := false
	return &mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !t.writes, DestructiveHint: &no, OpenWorldHint: &no},
	}
}

// call does what the agent asks for, and asks it what the table asks of its seat.
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
	if t.asks && !done.refused() {
		if asked := s.elicit(ctx, r, done); asked != nil {
			return asked, nil
		}
	}
	return done.result(), nil
}

// problem is a refusal that isn't the table's.
func problem(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}

// posted sends the arguments as they are.
func posted(path string) func(context.Context, *Seat, arguments) (told, error) {
	return func(ctx context.Context, s *Seat, args arguments) (told, error) {
		return s.here(ctx, http.MethodPost, path, nil, args)
	}
}

// plain is a value as an address has it.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// seen is what tools need of a view.
type seen struct {
	Game       string            `json:"game"`
	Moves      []json.RawMessage `json:"moves"`
	Characters []json.RawMessage `json:"characters"`
	Questions  []question        `json:"questions"`
}

// about is what tools need of a game.
type about struct {
	ID    string            `json:"id"`
	Moves []json.RawMessage `json:"moves"`
	Rules []json.RawMessage `json:"rules"`
}

// named is an element's id.
func named(element json.RawMessage) string {
	var n struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(element, &n) // norn's own
	return n.ID
}

// known is the table as the seat sees it, and its game; or what refuses that.
func (s *Seat) known(ctx context.Context) (v seen, game about, refused told, err error) {
	look, err := s.here(ctx, http.MethodGet, "", nil, nil)
	if err != nil || look.refused() {
		return v, game, look, err
	}
	games, err := s.ask(ctx, http.MethodGet, "games", nil, nil)
	if err != nil || games.refused() {
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

// moves are the moves that the seat may make, or one of them.
func (s *Seat) moves(ctx context.Context, one string) (told, error) {
	v, game, refused, err := s.known(ctx)
	if err != nil || refused.refused() {
		return refused, err
	}
	may := map[string]bool{}
	for _, m := range v.Moves {
		may[named(m)] = one == "" || named(m) == one
	}
	return list("moves", slices.DeleteFunc(game.Moves, func(m json.RawMessage) bool { return !may[named(m)] }))
}

// rules are the game's rules, or one of them.
func (s *Seat) rules(ctx context.Context, one string) (told, error) {
	_, game, refused, err := s.known(ctx)
	if err != nil || refused.refused() {
		return refused, err
	}
	return list("rules", slices.DeleteFunc(game.Rules, func(r json.RawMessage) bool { return one != "" && named(r) != one }))
}

func list(name string, elements []json.RawMessage) (told, error) {
	if elements == nil {
		elements = []json.RawMessage{}
	}
	data, err := json.Marshal(map[string]any{name: elements})
	return told{http.StatusOK, data}, err
}

const (
	mostWait = 20 // seconds: an answer has to be taken within 30
	pause    = time.Second
)

// wait looks for news until there are some.
func wait(ctx context.Context, s *Seat, args arguments) (told, error) {
	seconds := mostWait
	if given, err := strconv.Atoi(plain(args["seconds"])); err == nil && given >= 1 && given < seconds {
		seconds = given
	}
	until := time.NewTimer(time.Duration(seconds) * time.Second)
	defer until.Stop()
	for {
		news, err := s.here(ctx, http.MethodGet, "/log", url.Values{"after": {plain(args["after"])}}, nil)
		if err != nil || news.refused() {
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
