package page

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"norn/internal/rows"
	"norn/internal/workbook"
	"norn/table"
	"norn/table/act"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// getLists shows the lists of the table's own that the seat sees, and the form that brings one.
func getLists(w http.ResponseWriter, r *http.Request, v *visit) error {
	var first act.ListTarget // only to read, where the game has no sheets
	if all := act.ListTargets(v.Voice.Game); len(all) > 0 {
		first = all[0]
	}
	draft := html.NewListDraft(v.Page, v.View.Seats, first.Kind, first.Field, view.ListShown{})
	return showLists(w, r, v, http.StatusOK, draft)
}

func showLists(w http.ResponseWriter, r *http.Request, v *visit, status int, draft html.ListDraft) error {
	f := frame(r, v, "web.list.head", "/lists")
	return show(w, r, v, status, html.ListsPage(f, v.Page, v.View, draft))
}

// getList shows the rows of a list that have the words of a search.
func getList(w http.ResponseWriter, r *http.Request, v *visit) error {
	l, err := v.now.List(r.Context(), r.PathValue("id"))
	if _, known := statusOf(err); known {
		return notFound(w, r, v)
	}
	if err != nil {
		return err
	}
	q := r.URL.Query()
	skip, _ := strconv.Atoi(q.Get(html.Own + "from")) // anything but a number is the beginning
	page := v.Look.OneList(l, q.Get(html.Own+"q"), max(0, skip))
	if middleware.HX(r) {
		return show(w, r, v, http.StatusOK, html.ListFound(&v.Look, page))
	}
	if row, _ := strconv.Atoi(q.Get(html.Own + "row")); row > 0 && row <= len(l.Texts) {
		one := l
		one.Texts, one.Keys = l.Texts[row-1:row], l.Keys[row-1:row]
		page.Said = v.Say("web.list.taken", "Name", v.Look.OneList(one, "", 0).Found[0].Name)
	}
	return showList(w, r, v, http.StatusOK, page)
}

func showList(w http.ResponseWriter, r *http.Request, v *visit, status int, page html.ListPage) error {
	f := sideFrame(r, v, v.View.Name+" · "+page.Name)
	f.Path = v.To("/lists/" + page.ID)
	return show(w, r, v, status, html.ListOf(f, &v.Look, page))
}

// getListFile returns a list as a file, which another table can take: in JSON, or as a spreadsheet.
func getListFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	data, name, err := v.listFile(r)
	if _, known := statusOf(err); known {
		return notFound(w, r, v)
	}
	if err != nil {
		return err
	}
	kind := act.Spreadsheets[strings.TrimPrefix(filepath.Ext(name), ".")]
	w.Header().Set("Content-Type", cmp.Or(kind, "application/json"))
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, _ = w.Write(data) // the client may have disconnected
	return nil
}

// listFile returns a list as the request wants it, and the file's name.
func (v *visit) listFile(r *http.Request) (data []byte, name string, err error) {
	as := r.URL.Query().Get(html.Own + "as")
	if act.Spreadsheets[as] == "" {
		file, err := v.seat.ListFile(r.Context(), r.PathValue("id"))
		if err != nil {
			return nil, "", err
		}
		data, err = json.MarshalIndent(file, "", "\t")
		return data, fileName(file.Name) + ".json", err
	}
	l, err := v.now.List(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, "", err
	}
	data, err = act.WriteList(v.Voice.Game, v.Speaker, l, as)
	return data, fileName(l.Name) + "." + as, err
}

// postLists reads a list that a game master brings, shows what it has, and keeps it once it was seen.
func postLists(w http.ResponseWriter, r *http.Request, v *visit) error {
	asked, draft := v.sentList(r)
	read, err := v.seat.ReadList(r.Context(), asked)
	if err != nil {
		return listRefused(w, r, v, draft, err)
	}
	draft.Targets = html.NewListDraft(v.Page, v.View.Seats, read.Kind, read.Field, view.ListShown{}).Targets
	draft.Read = html.PreviewList(v.Voice, read)
	if r.PostForm.Get(html.Own+"do") != "store" {
		return showLists(w, r, v, http.StatusOK, draft)
	}
	asked.Fitting = true // what doesn't fit was shown
	made, err := table.Do(table.WithBill(r.Context(), func(int) {}), v.seat, act.SetList, asked,
		r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return listRefused(w, r, v, draft, err)
	}
	return redirect(w, r, v.To("/lists/"+listIn(made)))
}

// listRefused shows the form with what was posted and why it can't be taken.
func listRefused(w http.ResponseWriter, r *http.Request, v *visit, draft html.ListDraft, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	draft.Problem = v.SayError(err)
	return v.withTable(r, func() error { return showLists(w, r, v, status, draft) })
}

// sentList returns the request that a form asks for, and the form as it was posted.
func (v *visit) sentList(r *http.Request) (act.ListRequest, html.ListDraft) {
	field := func(name string) string { return r.PostForm.Get(html.Own + name) }
	asked := act.ListRequest{ID: field("id"), Name: field("name"), Sheet: field("sheet")}
	text, file := field("text"), middleware.FileOf(r)
	if packed := field("book"); len(file) == 0 && packed != "" {
		file, _ = base64.StdEncoding.DecodeString(packed) // a page wrote it; another text is no workbook
	}
	book := ""
	switch {
	case workbook.Is(file):
		asked.File, book = file, base64.StdEncoding.EncodeToString(file)
	case len(file) > 0:
		text = rows.Text(file)
		fallthrough
	default:
		asked.File = []byte(text)
	}
	asked.Kind, asked.Field = html.ListTarget(field("goes"))
	if head, ok := act.ListIn(v.Voice.Game, asked.File); ok && !r.PostForm.Has(html.Own+"was") {
		asked.Name, asked.Kind, asked.Field = head.Name, head.Kind, head.Field
	}
	var of view.ListShown
	for _, one := range v.View.Lists {
		if one.ID == asked.ID {
			of, asked.Kind, asked.Field = one, one.Kind, one.Field
		}
	}
	draft := html.NewListDraft(v.Page, v.View.Seats, asked.Kind, asked.Field, of)
	draft.Text, draft.Book = text, book
	if draft.Name = asked.Name; draft.Name == "" {
		draft.Name = of.Name
	}
	if !r.PostForm.Has(html.Own + "was") {
		asked.Guess = asked.ID == "" && asked.Kind != ""
		return asked, draft
	}
	if field("sheet") != field("from") { // another sheet of the workbook
		asked.Guess = asked.ID == "" && field("goes") == field("was") // a pack's shelf says what its rows are for
	} else {
		if field("was") == asked.Kind+" "+asked.Field {
			asked.Columns = r.PostForm[html.Own+"column"]
		}
		if asked.Heads = "no"; r.PostForm.Has(html.Own + "named") {
			asked.Heads = "yes"
		}
	}
	if draft.Whom = field("whom"); draft.Whom == "some" {
		asked.To = r.PostForm[html.Own+"to"]
	}
	asked.Hidden = draft.Whom == "none" || draft.Whom == "some" && len(asked.To) == 0
	for i, seat := range draft.Seats {
		for _, id := range asked.To {
			draft.Seats[i].On = draft.Seats[i].On || id == seat.Value
		}
	}
	return asked, draft
}

// listIn returns the id of the list that an entry is about.
func listIn(e view.Entry) string {
	var about struct {
		ID string `json:"id"`
	}
	for _, line := range e.Lines {
		_ = json.Unmarshal(line.Data, &about) // it was written here
	}
	return about.ID
}

// toList returns the address of the list that was changed, otherwise of all.
func toList(v *visit, e view.Entry) string {
	if id := listIn(e); id != "" {
		return v.To("/lists/" + id)
	}
	return v.To("/lists")
}

// showPicked shows the list again, from which more can be taken.
func showPicked(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	q := url.Values{}
	for _, name := range []string{"c", "q", "row"} {
		q.Set(html.Own+name, r.PostForm.Get(html.Own+name))
	}
	at := v.To("/lists/" + url.PathEscape(r.PostForm.Get(html.Own+"list")) + "?" + q.Encode())
	return answerDone(w, r, v, entryOf(made).Seq, at)
}

// pickAgain shows the list with why a row can't be taken.
func pickAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	status, _ := statusOf(err)
	return v.withTable(r, func() error {
		l, gone := v.now.List(r.Context(), r.PostForm.Get(html.Own+"list"))
		if gone != nil {
			return err
		}
		page := v.Look.OneList(l, r.PostForm.Get(html.Own+"q"), 0)
		page.Problem = v.SayError(err)
		return showList(w, r, v, status, page)
	})
}
