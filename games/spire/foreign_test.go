package spire_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"norn/foreign"
	"norn/foreign/foreigntest"
	"norn/games/spire"
)

func TestCharacterKeeperIsReadByItsCells(t *testing.T) {
	cells := foreigntest.KeeperCells("Quill")
	tab := foreigntest.KeeperCSV(cells)
	empty := foreigntest.KeeperCells("")
	for _, file := range []string{
		tab, strings.ReplaceAll(tab, "\n\"", "\r\n\""),
		foreigntest.KeeperXLSX(t, empty, cells, map[string]string{"A1": "Rules"}),
	} {
		p, c := foreigntest.Propose[spire.Character](t, spire.New(), file)
		checkQuill(t, "made here", p, c)
	}
}

// A tab has cells that its bot doesn't read: the class, advances. They're preserved, a line for each row.
func TestOtherCellsOfACharacterKeeperAreKept(t *testing.T) {
	cells := foreigntest.KeeperCells("Quill")
	cells["B6"], cells["D6"], cells["B39"], cells["Z20"] = "Class", "Tidewright", "Last words", "3 advances"
	cells["B11"] = "TRUE"
	for name, file := range map[string]string{
		"CSV": foreigntest.KeeperCSV(cells), "XLSX": foreigntest.KeeperXLSX(t, cells),
	} {
		p, _ := foreigntest.Propose[spire.Character](t, spire.New(), file)
		for _, want := range []string{"- Class; Tidewright", "- Last words", "- 3 advances"} {
			if !strings.Contains(fmt.Sprint(p.Kept), want) {
				t.Errorf("%s: %q isn't kept: %v", name, want, p.Kept)
			}
		}
		if strings.Contains(fmt.Sprint(p.Kept), "TRUE") {
			t.Errorf("%s: a box is kept as a text: %v", name, p.Kept)
		}
	}
}

// checkQuill checks the hero of KeeperCells.
func checkQuill(t *testing.T, name string, p foreign.Proposal, c spire.Character) {
	t.Helper()
	trained := "[{fight false false} {sneak false false}] [{high-society false false}]"
	if p.Hero.Name != "Quill" || fmt.Sprint(c.Skills, c.Domains) != trained {
		t.Errorf("%s: %s %v %v", name, p.Hero.Name, c.Skills, c.Domains)
	}
	if c.Stress.Blood != 4 || c.Slots.Blood != 1 || c.Stress.Reputation != 2 || c.Refresh != "Keep a promise; Tell a lie" {
		t.Errorf("%s: %+v %+v %s", name, c.Stress, c.Slots, c.Refresh)
	}
	if len(c.Gear) != 2 || c.Gear[1].Name != "Chalk" || len(c.Bonds) != 1 || c.Bonds[0].Stress != 4 {
		t.Errorf("%s: %+v %+v", name, c.Gear, c.Bonds)
	}
	if len(p.Ask) != 2 || !strings.Contains(fmt.Sprint(p.Kept), "They listen,\nall of them.") {
		t.Errorf("%s: %v %v", name, p.Ask, p.Kept)
	}
}

// LibreOffice 7.4.7 wrote these files of one invented workbook with three tabs, whose stress is computed
// by formulas: the whole as XLSX, and the hero's tab as CSV with each separator and in three languages.
func TestCharacterKeeperOfLibreOfficeIsRead(t *testing.T) {
	for _, name := range []string{"libreoffice.xlsx", "comma.csv", "semicolon-ru.csv", "tab-uk.csv"} {
		file, err := os.ReadFile(filepath.Join("testdata", "keeper", name))
		if err != nil {
			t.Fatal(err)
		}
		p, c := foreigntest.Propose[spire.Character](t, spire.New(), string(file))
		checkQuill(t, name, p, c)
		if len(p.Doubts()) > 0 || len(p.Misfits) > 0 {
			t.Errorf("%s: %v %v", name, p.Doubts(), p.Misfits)
		}
	}
}

// A row has free slots, all stress and what counts for fallout. The last is what Vermissian reads, so
// norn must count as much, whatever the row says of the others.
func TestCharacterKeeperCountsTheStressThatItsBotCounts(t *testing.T) {
	for _, c := range []struct {
		free, all, counted string
		stress, counts     int
		doubt              bool
	}{
		{"1", "4", "3", 4, 3, false},
		{"2", "1", "0", 1, 0, false},
		{"2", "", "3", 5, 3, false},
		{"", "", "3", 3, 3, false},
		{"2", "4", "", 4, 2, false},
		{"2", "10", "3", 5, 3, true},
		{"0", "9", "3", 3, 3, true},
		{"2", "9", "0", 0, 0, true},
		{"1", "x", "3", 4, 3, true},
	} {
		cells := foreigntest.KeeperCells("Quill")
		cells["C14"], cells["D14"], cells["E14"] = c.free, c.all, c.counted
		p, hero := foreigntest.Propose[spire.Character](t, spire.New(), foreigntest.KeeperCSV(cells))
		if hero.Stress.Silver != c.stress || hero.CountingStress(spire.Silver) != c.counts {
			t.Errorf("%v: stress %d, of which %d count", c, hero.Stress.Silver, hero.CountingStress(spire.Silver))
		}
		if got := len(p.Doubts()) > 0; got != c.doubt {
			t.Errorf("%v: doubts %v", c, p.Doubts())
		}
	}
}
