package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table/request"
	"norn/table/view"
)

// newCharacter is the body that adds a character, beside its sheet.
type newCharacter struct {
	Name   string `json:"name" form:"text"`
	Kind   string `json:"kind" form:"text"`
	Owner  string `json:"owner" form:"text"`
	Stock  string `json:"stock" form:"text"`
	Hero   string `json:"hero" form:"text"`
	Like   string `json:"like" form:"text"`
	Hidden bool   `json:"hidden"`
	Key    string `json:"key" form:"text"`
}

// characterChange is the body that changes one, beside its sheet.
type characterChange struct {
	Name  string `json:"name" form:"text"`
	Owner string `json:"owner" form:"text"`
	Key   string `json:"key" form:"text"`
}

var (
	newCharacterForm    = form.Of[newCharacter]()
	characterChangeForm = form.Of[characterChange]()
)

// atCharacter is the address of a character.
type atCharacter struct {
	Table     string `path:"id" doc:"the table's id" maxLength:"200"`
	Character string `path:"cid" doc:"the character's id" maxLength:"200"`
}

// Character is the entry of a character that was added, with its id.
type Character struct {
	ID string `json:"id"`
	view.Entry
}

type characterAnswer struct {
	Body Character
}

// addedIn finds the id of the character that an entry tells of.
func addedIn(e view.Entry) (string, error) {
	for _, line := range e.Lines {
		if line.Type == "table.character-added" {
			var added struct{ ID string }
			err := json.Unmarshal(line.Data, &added)
			return added.ID, err
		}
	}
	return "", errors.New("the entry tells of no new character")
}

// characters serves characters and their sheets.
type characters struct{ *server }

func (s characters) register(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/characters", "add-character", doc{
		summary: "Add a character",
		text:    "What the sheet leaves out has its default. A game master may name one of the game's stock, or a character that it's like, instead of a name and a kind, and may have it hidden: nobody else knows of it until it's shown. A player adds characters of their own, of a kind that players may own. Whoever adds one may name one of the game’s ready heroes.",
		tag:     "characters", status: http.StatusCreated, errors: failures,
		body: "NewCharacter", example: map[string]any{
			"name": "Vex", "kind": s.Games[0].Kinds[0].ID, "sheet": map[string]any{}, "key": "0a91",
		},
	}), s.addCharacter)

	huma.Register(api, operation(http.MethodPatch, "/api/v1/tables/{id}/characters/{cid}", "change-character", doc{
		summary: "Change a character's name, owner or sheet",
		text:    "What isn't given stays as it is. Only a game master gives a character to another owner; an owner that is \"\" is nobody. The answer's seq is that of the change's entry, also where nothing is told of it because nothing has changed.",
		tag:     "characters", errors: failures,
		body: "CharacterChange", example: map[string]any{"sheet": map[string]any{}, "key": "4d2b"},
	}), s.changeCharacter)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/characters/{cid}/show", "show-character", doc{
		summary: "Show a hidden character to everybody",
		text:    "From then on it's there for all, and so is what it does. What was done before stays with the game masters. Only a game master may.",
		tag:     "characters", errors: failures,
		body: "KeyOnly", example: map[string]any{"key": "77d0"},
	}), s.showCharacter)

	huma.Register(api, operation(http.MethodDelete, "/api/v1/tables/{id}/characters/{cid}", "remove-character", doc{
		summary: "Take a character from the table", text: "Only a game master may.", tag: "characters", errors: failures,
	}), s.removeCharacter)
}

func (s characters) addCharacter(ctx context.Context, in *atTable) (*characterAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[newCharacter](callOf(ctx).body, newCharacterForm, "sheet")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	entry, err := seat.AddCharacter(ctx, request.NewCharacter{
		Name: body.Name, Kind: body.Kind, Owner: body.Owner, Sheet: kept["sheet"], Stock: body.Stock, Hero: body.Hero, Like: body.Like, Hidden: body.Hidden, Key: body.Key,
	})
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	id, err := addedIn(entry)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &characterAnswer{Character{id, entry}}, nil
}

func (s characters) changeCharacter(ctx context.Context, in *atCharacter) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	data := callOf(ctx).body
	body, kept, err := read[characterChange](data, characterChangeForm, "sheet")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	change := request.Change{ID: in.Character, Sheet: kept["sheet"], Key: body.Key}
	if has(data, "name") {
		change.Name = &body.Name
	}
	if has(data, "owner") {
		change.Owner = &body.Owner
	}
	entry, err := seat.ChangeCharacter(ctx, change)
	if err != nil {
		return nil, s.notThere(ctx, seat, err, "id", "cid")
	}
	return &entryAnswer{entry}, nil
}

func (s characters) removeCharacter(ctx context.Context, in *atCharacter) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	entry, err := seat.RemoveCharacter(ctx, in.Character, "")
	if err != nil {
		return nil, s.notThere(ctx, seat, err, "id", "cid")
	}
	return &entryAnswer{entry}, nil
}

func (s characters) showCharacter(ctx context.Context, in *atCharacter) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, _, err := read[keyed](callOf(ctx).body, keyForm)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	entry, err := seat.ShowCharacter(ctx, in.Character, body.Key)
	if err != nil {
		return nil, s.notThere(ctx, seat, err, "id", "cid")
	}
	return &entryAnswer{entry}, nil
}
