package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/table/view"
)

// registerHeroes registers the reading of heroes from other programs.
func registerHeroes(s *server, api huma.API) {
	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/read-hero", "read-hero", doc{
		summary: "What a hero from another program becomes here",
		text: "An actor that Foundry exported (versions 9 to 14), or one of its pack as JSON; a tab of the character keeper as CSV, or the keeper as XLSX. Values are computed by its system's formulas. " +
			"Nothing is stored: the answer has the file that import-character takes, and says what was computed, what doesn't fit and what has no place.",
		tag: "characters", file: true, errors: []int{http.StatusForbidden, http.StatusConflict},
		example: members{"file": "\n\n\n,Player Name (Pronouns)\n,,,Quill\n\n\n\n\n\n,,,,,,,TRUE,,FALSE"},
	}, bodyOf[struct{}]("HeroFile", members{"file": members{
		"anyOf":       []any{members{"type": "object"}, members{"type": "string"}},
		"description": "the hero's file as it is: JSON, the text of a tab in CSV, or an XLSX file as \"data:;base64,…\"",
	}}, "file"), func(ctx context.Context, r sent[atTable, struct{}]) (*answer[view.HeroRead], error) {
		read, err := r.seat.ReadHero(ctx, r.parts["file"])
		return answered(read, err)
	})
}
