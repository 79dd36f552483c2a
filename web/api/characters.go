package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
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

// starring is the body that makes a move a favourite, or no more.
type starring struct {
	Character form.Ref `json:"character" form:"required"`
	Move      string   `json:"move" form:"text,required"`
	On        bool     `json:"on" form:"default=true"`
	Key       string   `json:"key" form:"text"`
}

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

func registerCharacters(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/characters", "add-character", doc{
		summary: "Add a character",
		text:    "What the sheet leaves out has its default. A game master may name one of the game's stock, or a character that it's like, instead of a name and a kind, and may have it hidden: nobody else knows of it until it's shown. A player adds characters of their own, of a kind that players may own. Whoever adds one may name one of the game’s ready heroes.",
		tag:     "characters", status: http.StatusCreated,
		example: map[string]any{
			"name": "Vex", "kind": s.Games.Games()[0].Kinds[0].ID, "sheet": map[string]any{}, "key": "0a91",
		},
	}, bodyOf[newCharacter]("NewCharacter", members{"sheet": members{"type": "object"}}).among(s.schemas.sheets), func(ctx context.Context, r sent[atTable, newCharacter]) (*answer[Character], error) {
		entry, err := r.seat.AddCharacter(ctx, request.NewCharacter{
			Name: r.body.Name, Kind: r.body.Kind, Owner: r.body.Owner, Sheet: r.parts["sheet"],
			Stock: r.body.Stock, Hero: r.body.Hero, Like: r.body.Like, Hidden: r.body.Hidden, Key: r.body.Key,
		})
		if err != nil {
			return nil, err
		}
		id, err := addedIn(entry)
		return answered(Character{id, entry}, err)
	})

	act(s, api, http.MethodPatch, "/api/v1/tables/{id}/characters/{cid}", "change-character", doc{
		summary: "Change a character's name, owner or sheet",
		text:    "What isn't given stays as it is. Only a game master gives a character to another owner; an owner that is \"\" is nobody. The answer's seq is that of the change's entry, also where nothing is told of it because nothing has changed.",
		tag:     "characters",
		example: map[string]any{"sheet": map[string]any{}, "key": "4d2b"},
	}, bodyOf[characterChange]("CharacterChange", members{
		"sheet": members{
			"type": "object", "description": "a JSON merge patch (RFC 7396) of the sheet: members given replace, null takes back to the default, lists are replaced whole",
		},
	}), func(ctx context.Context, r sent[atCharacter, characterChange]) (*entryAnswer, error) {
		change := request.Change{ID: r.at.Character, Sheet: r.parts["sheet"], Key: r.body.Key}
		data := callOf(ctx).body
		if has(data, "name") {
			change.Name = &r.body.Name
		}
		if has(data, "owner") {
			change.Owner = &r.body.Owner
		}
		return answered(addressed(r.seat.ChangeCharacter(ctx, change)))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/characters/{cid}/show", "show-character", doc{
		summary: "Show a hidden character to everybody",
		text:    "From then on it's there for all, and so is what it does. What was done before stays with the game masters. Only a game master may.",
		tag:     "characters",
		example: map[string]any{"key": "77d0"},
	}, keyBody, func(ctx context.Context, r sent[atCharacter, keyed]) (*entryAnswer, error) {
		return answered(addressed(r.seat.ShowCharacter(ctx, r.at.Character, r.body.Key)))
	})

	remove(s, api, "/api/v1/tables/{id}/characters/{cid}", "remove-character", doc{
		summary: "Take a character from the table", text: "Only a game master may.", tag: "characters",
	}, func(ctx context.Context, seat *table.Seat, at *atCharacter) (*entryAnswer, error) {
		return answered(addressed(seat.RemoveCharacter(ctx, at.Character, "")))
	})
}

func registerFavourites(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/favourites", "star-move", doc{
		summary: "Make a move one of a character's favourites",
		text:    "Or with on false no more. Who plays the character may; only they and game masters see it.",
		tag:     "characters",
		example: map[string]any{"character": "c1", "move": "check", "on": true, "key": "5d60"},
	}, bodyOf[starring]("StarRequest", nil), func(ctx context.Context, r sent[atTable, starring]) (*entryAnswer, error) {
		return answered(r.seat.SetFavourite(ctx, string(r.body.Character), r.body.Move, r.body.On, r.body.Key))
	})
}
