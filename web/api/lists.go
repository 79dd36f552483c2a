package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/internal/rows"
	"norn/table"
	"norn/table/act"
	"norn/table/view"
)

type listQuestion struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	List  string `path:"list" doc:"the list's id" maxLength:"200"`
	Find  string `query:"find" doc:"words that a row has" maxLength:"200"`
	After number `query:"after" doc:"rows after this one"`
	Limit number `query:"limit" doc:"1 to 5000, 100 unless given"`
}

// ListRows is a part of a list of the table's own.
type ListRows struct {
	view.ListShown
	Columns []string  `json:"columns" doc:"paths of fields, where characters take rows; _name is a character's name, _group the row's group"`
	Found   []ListRow `json:"found"`
	More    bool      `json:"more,omitempty" doc:"there are more than the limit allows: ask again after the last one's row"`
}

// ListRow is a row of a list.
type ListRow struct {
	Row   int      `json:"row" doc:"its number in the list, from 1, as pick-from-list takes it"`
	Texts []string `json:"texts" doc:"one for each column"`
}

// atList is the address of a list.
type atList struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	List  string `path:"list" doc:"the list's id" maxLength:"200"`
}

func registerLists(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/lists/{list}", "read-list", doc{
		summary: "Rows of a list of the table's own",
		text:    "The table itself names its lists.",
		tag:     "characters",
	}, func(ctx context.Context, seat *table.Seat, asked *listQuestion) (*answer[ListRows], error) {
		after, late := asked.After.parse("after", 0, 0, rows.MaxRows)
		limit, wide := asked.Limit.parse("limit", pageSize, 1, rows.MaxRows)
		var long *form.Problem
		if utf8.RuneCountInString(asked.Find) > maxSought {
			long = &form.Problem{Path: "find", Code: form.TooLong, Max: maxSought, Given: printable(asked.Find)}
		}
		if err := badQuery(ctx, late, wide, long); err != nil {
			return nil, err
		}
		l, err := seat.List(ctx, asked.List)
		if err != nil {
			return nil, absent(err, "list", "list")
		}
		told := ListRows{ListShown: l.ListShown, Columns: l.Columns, Found: []ListRow{}}
		for _, i := range l.Find(asked.Find) {
			if i < int(after) {
				continue
			}
			if told.More = len(told.Found) == int(limit); told.More {
				break
			}
			told.Found = append(told.Found, ListRow{i + 1, l.Texts[i]})
		}
		return answered(told, nil)
	})

	show(s, api, "/api/v1/tables/{id}/lists/{list}/file", "export-list", doc{
		summary: "A list of the table's own as a file",
		text:    "Its text as rows of set-list, at another table of the same game, is the same list.",
		tag:     "characters",
	}, func(ctx context.Context, seat *table.Seat, at *atList) (*answer[view.ListFile], error) {
		file, err := seat.ListFile(ctx, at.List)
		return answered(file, absent(err, "list", "list"))
	})

	for _, as := range slices.Sorted(maps.Keys(act.Spreadsheets)) {
		media := act.Spreadsheets[as]
		get := operation(http.MethodGet, "/api/v1/tables/{id}/lists/{list}/"+as, "export-list-"+as, doc{
			summary: "A list of the table's own as " + strings.ToUpper(as),
			text:    "For spreadsheets, in the seat's language. As rows of set-list it's the same list again.",
			tag:     "characters",
		})
		get.Responses["200"] = &huma.Response{Description: "The file", Content: map[string]*huma.MediaType{
			media: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}}
		huma.Register(api, get, seated(s, func(ctx context.Context, seat *table.Seat, at *atList) (*bytesAnswer, error) {
			data, err := seat.Spreadsheet(ctx, at.List, as)
			if err != nil {
				return nil, absent(err, "list", "list")
			}
			return &bytesAnswer{
				Type: media, Cache: "private, no-store", Vary: "Authorization", Policy: "default-src 'none'; sandbox", Body: data,
			}, nil
		}))
	}
}
