//go:build e2e

package playtest

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"norn/lang"
)

// A game master shows a picture to one player, who sees it on a phone while it is shown. Nobody
// else does, not even by its address. That player adds a portrait to her character, which all see;
// a note is shared; and an X-card is raised anonymously.
func TestPicturesNotesAndXCardReachTheRightSeats(t *testing.T) {
	t.Parallel()
	n := serve(t)
	table := n.sheets("spire", lang.Ru)
	boris := n.must("POST", "/tables/"+table.id+"/seats", table.secret,
		map[string]any{"name": "Борис", "role": "player"})["secret"].(string)
	gm, anna, other := sit(t, "gm", 1366, 768), sit(t, "anna", 360, 740), sit(t, "boris", 360, 740)
	gm.visit(table.gm)
	anna.visit(table.anna)
	other.visit(n.url("/t/" + table.id + "/" + boris))
	for _, each := range []*seat{gm, anna, other} { // in the language of the table
		each.run("document.cookie = 'lang=ru; path=/'")
		each.visit(each.ask("location.href"))
	}
	file := photo(t, 8064, 6048) // as phones take them, more than the server decodes

	uploadsForOne(gm, file)
	seesWhatIsShown(t, anna, other)
	setsAPortrait(n, table, gm, anna, file)
	raisesTheXCard(n, table, gm, anna, other)
	refusesAHugePicture(t, n, table, gm)
}

// uploadsForOne lets the game master show a picture to one player.
func uploadsForOne(gm *seat, file string) {
	gm.opensTab("notes")
	gm.click("#drawer a[href$='/pictures']")
	gm.uploads("#show-file", file)
	gm.sees(".upload canvas", "")
	gm.click("#show-alt")
	gm.types("Мост над сухой рекой")
	gm.click(".whom input[value=some]")
	gm.click(".whom-seats label:nth-child(1) input")
	gm.picture("show")
	gm.click("form[data-upload='1600'] button.primary")
	gm.sees("#log .picture img", "")
}

// seesWhatIsShown checks that this player sees the picture, and another doesn't.
func seesWhatIsShown(t *testing.T, anna, other *seat) {
	anna.sees("#log .note", "Мост над сухой рекой")
	anna.until("see the picture", func() bool {
		return anna.ask("String(document.querySelector('#log .picture img')?.naturalWidth)") == "1600"
	}, func() string { return anna.text("#log") })
	if alt := anna.ask("document.querySelector('#log .picture img').alt"); alt != "Мост над сухой рекой" {
		t.Errorf("it's called %q", alt)
	}
	anna.picture("seen")
	enlarges(anna)
	at := anna.ask("document.querySelector('#log .picture').pathname")
	status := func(s *seat) string { return s.fetched("String((await fetch('" + at + "')).status)") }
	if got := status(anna); got != "200" {
		t.Errorf("who was shown it gets %s", got)
	}
	if got := status(other); got != "404" {
		t.Errorf("who wasn't gets %s", got)
	}
	if other.ask("String(document.querySelectorAll('#log .picture').length)") != "0" {
		t.Error("another sees it")
	}
}

// enlarges presses the picture in the log: it fills the window until Back.
func enlarges(anna *seat) {
	anna.click("#log .picture")
	anna.until("see it large", func() bool {
		return anna.ask("String(Math.round(document.querySelector('dialog.large[open] img')?.getBoundingClientRect().width))") == "360"
	}, func() string { return anna.ask("document.querySelector('dialog.large')?.outerHTML ?? ''") })
	anna.picture("large")
	anna.run("history.back()")
	anna.gone("dialog.large")
	anna.sees("#log .picture", "")
}

// setsAPortrait adds the player's picture to the cast.
func setsAPortrait(n *server, table sheetTable, gm, anna *seat, file string) {
	n.must("POST", "/tables/"+table.id+"/talk", table.secret, map[string]any{"text": "Тише.", "character": "c1"})
	gm.sees("#log .speech:last-child [data-letters]", "")
	anna.visit(n.url("/t/" + table.id + "/pictures"))
	anna.uploads("#portrait-file", file)
	anna.sees(".upload canvas", "")
	anna.picture("portrait")
	anna.click("form[data-upload='512'] button.primary")
	anna.sees(".gallery figcaption", "портрет")
	anna.picture("gallery")
	gm.sees("#cast .face", "")
	gm.sees("#log .speech .face", "") // instead of the monogram
	gm.picture("cast")
	anna.visit(n.url("/t/" + table.id))
}

// raisesTheXCard shows the X-card on every page of the table, and then shares a note.
func raisesTheXCard(n *server, table sheetTable, gm, anna, other *seat) {
	other.visit(n.url("/t/" + table.id + "/pictures")) // it appears on every page of the table
	other.sees("h1", "")
	anna.click(".x-raise button")
	for _, s := range []*seat{gm, anna, other} {
		s.sees(".x-card", "Икс-карта")
	}
	other.picture("x")
	gm.picture("x")
	gm.visit(n.url("/t/" + table.id + "/session/1")) // and on pages that are opened later
	gm.sees(".x-card", "Икс-карта")
	gm.picture("x-session")
	other.click(".x-card button")
	for _, s := range []*seat{gm, anna, other} {
		s.gone(".x-card")
	}
	n.must("POST", "/tables/"+table.id+"/notes", table.secret,
		map[string]any{"text": "Подвал затоплен.\nКлюч у Вессы."})
	gm.visit(n.url("/t/" + table.id + "/pictures"))
	gm.click("details.handout summary")
	gm.click("details.handout button")
	anna.sees("#log .note-shared", "Подвал затоплен")
	anna.picture("note")
}

// refusesAHugePicture checks that a file which claims to be huge is refused with the reason.
func refusesAHugePicture(t *testing.T, n *server, table sheetTable, gm *seat) {
	drawing := filepath.Join(t.TempDir(), "bomb.png") // a file that claims to be huge
	small := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	f, err := os.Create(drawing)
	if err == nil {
		err = png.Encode(f, small)
	}
	if err == nil {
		_, err = f.WriteAt([]byte{0, 1, 0, 0, 0, 1, 0, 0}, 16)
	}
	if err != nil {
		t.Fatal(err)
	}
	gm.visit(n.url("/t/" + table.id + "/pictures"))
	gm.uploads("#show-file", drawing)
	gm.click("#show-alt")
	gm.types("x")
	gm.click("form[data-upload='1600'] button.primary")
	gm.sees(".problem", "не читает")
}
