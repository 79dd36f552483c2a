package agent

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// question is a pending question of the seat.
type question struct {
	ID        string         `json:"id"`
	Question  string         `json:"question"`
	Text      string         `json:"text"`
	AboutText string         `json:"aboutText"`
	Guidance  []string       `json:"guidance"`
	Schema    map[string]any `json:"schema"`
}

// diceQuestion is the API's name for the question that asks for faces of dice.
const diceQuestion = "dice"

// elicit asks the agent's program the first pending question of the seat. It returns nil if there
// is none, or if the program can't be asked: then the tool's result contains it.
func (s *Seat) elicit(ctx context.Context, r *mcp.CallToolRequest, done told) *mcp.CallToolResult {
	if !asks(r.Session) {
		return nil
	}
	var made struct {
		Open []question `json:"open"`
	}
	if json.Unmarshal(done.body, &made) != nil {
		return nil
	}
	if made.Open == nil { // somebody else's entry may have asked it
		look, err := s.here(ctx, http.MethodGet, "", nil, nil)
		var v seen
		if err != nil || look.isRefusal() || json.Unmarshal(look.body, &v) != nil {
			return nil
		}
		made.Open = v.Questions
	}
	if len(made.Open) == 0 {
		return nil
	}
	q := made.Open[0]
	schema, can := flat(q.Schema)
	if !can || q.Question == diceQuestion { // the faces aren't plain fields
		return nil
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{q.ID: &mcp.ElicitParams{
			Mode: "form", Message: q.message(),
			RequestedSchema: schema,
		}},
		RequestState: q.ID,
	}
}

// message returns the question's text for the agent.
func (q question) message() string {
	text := q.Text
	for _, line := range append([]string{q.AboutText}, q.Guidance...) {
		if line != "" {
			text += "\n" + line
		}
	}
	return text
}

// asks reports whether the agent's program supports questions.
func asks(session *mcp.ServerSession) bool {
	if session == nil {
		return false
	}
	hello := session.InitializeParams()
	if hello == nil || hello.Capabilities == nil || hello.Capabilities.Elicitation == nil {
		return false
	}
	can := hello.Capabilities.Elicitation
	return can.Form != nil || can.URL == nil
}

// plainKinds lists the kinds of field that a program can ask for.
var plainKinds = []string{"string", "integer", "number", "boolean"}

// flat returns a question's schema with the fields of its groups flattened to "group.field", since
// programs support only plain fields. Fields of other kinds keep their defaults; it returns false
// if one of them is required.
func flat(schema map[string]any) (map[string]any, bool) {
	fields, needed := map[string]any{}, []string{}
	ok := flatten(schema, "", fields, &needed)
	return map[string]any{"type": "object", "properties": fields, "required": needed}, ok && len(fields) > 0
}

func flatten(schema map[string]any, before string, into map[string]any, needed *[]string) bool {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for name, p := range properties {
		property, _ := p.(map[string]any)
		kind, _ := property["type"].(string)
		must := slices.Contains(required, any(name))
		switch {
		case slices.Contains(plainKinds, kind):
			into[before+name] = property
			if must {
				*needed = append(*needed, before+name)
			}
		case kind == "object" && before == "":
			if !flatten(property, name+".", into, needed) {
				return false
			}
		case must:
			return false
		}
	}
	return true
}

// groupAnswers reverses flat: it puts the answers back into their groups.
func groupAnswers(content map[string]any) map[string]any {
	answer := map[string]any{}
	for name, value := range content {
		group, field, inside := strings.Cut(name, ".")
		if !inside {
			answer[name] = value
			continue
		}
		fields, _ := answer[group].(map[string]any)
		if fields == nil {
			fields = map[string]any{}
			answer[group] = fields
		}
		fields[field] = value
	}
	return answer
}

// goOn passes on the answer to the question that a call ended with. It doesn't repeat the call
// itself. Without an answer the question stays open.
func (s *Seat) goOn(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	asked := r.Params.RequestState
	given, _ := r.Params.InputResponses[asked].(*mcp.ElicitResult)
	if given == nil || given.Action != "accept" {
		look, err := s.here(ctx, http.MethodGet, "", nil, nil)
		if err != nil {
			return problem(err.Error()), nil
		}
		return look.result(), nil
	}
	done, err := s.here(ctx, http.MethodPost, "/answers", nil,
		map[string]any{"question": asked, "answer": groupAnswers(given.Content), "key": "asked " + asked})
	if err != nil {
		return problem(err.Error()), nil
	}
	if !done.isRefusal() {
		if next := s.elicit(ctx, r, done); next != nil && next.RequestState != asked {
			return next, nil
		}
	}
	return done.result(), nil
}
