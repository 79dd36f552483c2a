package agent

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// question is one that waits for the seat.
type question struct {
	ID        string         `json:"id"`
	Question  string         `json:"question"`
	Text      string         `json:"text"`
	AboutText string         `json:"aboutText"`
	Guidance  []string       `json:"guidance"`
	Schema    map[string]any `json:"schema"`
}

// diceQuestion is the question for faces of dice, as the API calls it.
const diceQuestion = "dice"

// elicit is the first question that waits for the seat, as the agent's program asks it; nil where
// there is none, or where the program can't ask it: then it's answered by the tool.
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
	if made.Open == nil { // it came of others
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
	if !can || q.Question == diceQuestion { // whose faces aren't plain fields
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

// message is what the question says.
func (q question) message() string {
	text := q.Text
	for _, line := range append([]string{q.AboutText}, q.Guidance...) {
		if line != "" {
			text += "\n" + line
		}
	}
	return text
}

// asks tells whether the agent's program asks somebody, or itself, what it's asked.
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

// plainKinds are the kinds of field that a program can ask for.
var plainKinds = []string{"string", "integer", "number", "boolean"}

// flat is a question's schema with the fields of its groups beside the others, as "group.field":
// programs ask for plain fields alone. What has another kind keeps its default; false where one of
// these must be given.
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

// groupAnswers puts what was answered to a flat schema into its groups again.
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

// goOn takes what was answered to the question that a call ended with. The call's own act isn't
// done again. Where nobody answered, the question waits.
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
