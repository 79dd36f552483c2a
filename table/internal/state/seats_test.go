package state

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/table/refusal"
	"norn/table/view"
)

// zeros is a source of entropy.
func zeros(n int) *bytes.Reader { return bytes.NewReader(make([]byte, n)) }

func TestLinkOpensItsSeatUntilRenewedOrRevoked(t *testing.T) {
	secret, lock, err := NewSecret(zeros(32))
	if err != nil || len(secret) != 43 || lock.Sound() != nil {
		t.Fatalf("secret %q, lock %v, %v", secret, lock, err)
	}
	invited, err := Invite(secret, zeros(32))
	if err != nil {
		t.Fatal(err)
	}
	link := invited.Again(secret)
	all := Seats{{ID: "s1", Lock: lock}, {ID: "s2", Lock: invited}}
	opens := func(all Seats, secret string) string {
		if s := all.FindByKey(sha256.Sum256([]byte(secret))); s != nil {
			return s.ID
		}
		return ""
	}
	renewed := all.With("s2", func(s *Seat) {
		s.Lock, _ = Invite(secret, bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	})
	revoked := all.With("s2", func(s *Seat) { s.Revoked = true })
	for name, c := range map[string]struct {
		seats  Seats
		secret string
		want   string
	}{
		"the first seat's":   {all, secret, "s1"},
		"an invited seat's":  {all, link, "s2"},
		"nonsense":           {all, "nonsense", ""},
		"nothing":            {all, "", ""},
		"an old link":        {renewed, link, ""},
		"the renewed link":   {renewed, renewed[1].Lock.Again(secret), "s2"},
		"a revoked seat's":   {revoked, link, ""},
		"another seat stays": {revoked, secret, "s1"},
	} {
		if got := opens(c.seats, c.secret); got != c.want {
			t.Errorf("%s opens %q", name, got)
		}
	}
	if again := invited.Again("the inviter's renewed link"); again != "" {
		t.Errorf("made again by another link: %q", again)
	}
	if _, _, err := NewSecret(zeros(31)); !errors.As(err, new(*refusal.UnavailableError)) {
		t.Errorf("without entropy: %v", err)
	}
}

func TestLockNeedsAFullHashAndSalt(t *testing.T) {
	hash, salt := make([]byte, 32), make([]byte, 32)
	for name, c := range map[string]struct {
		lock Lock
		want bool
	}{
		"a hash":            {Lock{Hash: hash}, true},
		"a hash and a salt": {Lock{Hash: hash, Salt: salt}, true},
		"nothing":           {Lock{}, false},
		"a short hash":      {Lock{Hash: hash[1:]}, false},
		"a short salt":      {Lock{Hash: hash, Salt: salt[1:]}, false},
	} {
		if err := c.lock.Sound(); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A recovery code is stored as a hash that only the seat's secret makes again.
func TestARecoveryCodeIsKeptAsAHash(t *testing.T) {
	secret, lock, err := NewSecret(zeros(32))
	if err != nil {
		t.Fatal(err)
	}
	made, err := MakeCode(secret, zeros(32))
	if err != nil || made.Sound() != nil {
		t.Fatal(made, err)
	}
	code := made.CodeAgain(secret)
	if strings.Contains(string(JSON(made)), CleanCode(code)) || made.CodeAgain("another") != "" {
		t.Errorf("the lock %s tells the code %s", JSON(made), code)
	}
	later, err := MakeCode(secret, bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	if err != nil || later.CodeAgain(secret) == code {
		t.Error("two codes of one secret are the same")
	}
	back, err := Invite(CleanCode(code), zeros(32))
	if err != nil {
		t.Fatal(err)
	}
	all := Seats{{ID: "s1", Lock: lock, Recovery: &made}, {ID: "s2", Lock: back}, {ID: "s3", Recovery: &later, Revoked: true}}
	for name, c := range map[string]struct {
		code string
		used bool
		want string
	}{
		"its code":              {CleanCode(code), false, "s1"},
		"a revoked seat's":      {CleanCode(later.CodeAgain(secret)), true, ""},
		"nothing":               {"", true, ""},
		"the secret":            {secret, true, ""},
		"written in its groups": {code, false, ""},
	} {
		got := ""
		if s := all.FindByCode(c.code, c.used); s != nil {
			got = s.ID
		}
		if got != c.want {
			t.Errorf("%s finds %q", name, got)
		}
	}
	if s := all[1:].FindByCode(CleanCode(code), true); s == nil || s.ID != "s2" {
		t.Error("a retry doesn't find the seat that the code has recovered")
	}
	if s := all[1:].FindByCode(CleanCode(code), false); s != nil {
		t.Error("a used code finds its seat")
	}
	if _, err := MakeCode(secret, zeros(31)); !errors.As(err, new(*refusal.UnavailableError)) {
		t.Errorf("without entropy: %v", err)
	}
}

// A code is taken with any spaces, dashes and cases, and from a keyboard with Cyrillic letters.
func TestRecoveryCodeIsAcceptedHoweverItIsTyped(t *testing.T) {
	for _, typed := range []string{"ABCEH-KMPTX", "abceh kmptx", " ABCEH–KMPTX.", "АВСЕН-КМРТХ", "авсен кмртх"} {
		if got := CleanCode(typed); got != "ABCEHKMPTX" {
			t.Errorf("%q is taken as %q", typed, got)
		}
	}
}

func TestRevokedSeatsKeepTheirIDs(t *testing.T) {
	all := Seats{{ID: "s1", Name: "GM"}, {ID: "s2", Name: "Anna", Revoked: true}}
	if all.Next() != "s3" || !slices.Equal(all.Here().IDs(), []string{"s1"}) || all.Name("s2") != "Anna" ||
		all.Name("s3") != "" || all.Of("s3") != nil {
		t.Errorf("next %s, here %q", all.Next(), all.Here().IDs())
	}
	changed := all.With("s2", func(s *Seat) { s.Name = "Olena" })
	if all.Name("s2") != "Anna" || changed.Name("s2") != "Olena" || len(all.With("s9", nil)) != 2 {
		t.Error("a changed seat changes the former list")
	}
}

// A seat owns the characters that have it as owner and aren't removed.
func TestASeatOwnsItsCharacters(t *testing.T) {
	st := start()
	owns := func() map[string]bool { return st.Seats.Of("s2").Owns }
	if !maps.Equal(owns(), map[string]bool{"c1": true}) {
		t.Fatalf("at first: %v", owns())
	}
	given := changes(st, "c3", OfOwner, func(c *Character) { c.Owner = "s2" })
	st = st.Next(given)
	if !maps.Equal(owns(), map[string]bool{"c1": true, "c3": true}) {
		t.Errorf("given: %v", owns())
	}
	removed := changes(st, "c1", OfBeing, func(c *Character) { c.Removed = true })
	st = st.Next(removed)
	if !maps.Equal(owns(), map[string]bool{"c3": true}) {
		t.Errorf("removed: %v", owns())
	}
	st = st.Next(undoes(st, removed))
	st = st.Next(undoes(st, given))
	if !maps.Equal(owns(), map[string]bool{"c1": true}) {
		t.Errorf("undone: %v", owns())
	}
}

func TestCharacterIDsAreDrawnCheckedAndNumbered(t *testing.T) {
	drawn, err := DrawID(zeros(15))
	if err != nil || !DrawnID(drawn) {
		t.Fatal(drawn, err)
	}
	for _, id := range []string{"", "u", "c1", drawn[1:], drawn + "a", strings.ToUpper(drawn), drawn[:24] + "!"} {
		if DrawnID(id) {
			t.Errorf("%q counts as drawn", id)
		}
	}
	all := Characters{{ID: "c1", Removed: true}, {ID: drawn, Hidden: true}, {ID: "c2"}}
	if all.Next() != "c3" { // the removed one counts, the hidden one doesn't
		t.Errorf("the next is %s", all.Next())
	}
	if here := all.Here(); len(here) != 2 || here.Of("c1") != nil || len(all.WithIDs([]string{"c2", "c9", "c1"})) != 2 {
		t.Errorf("at the table: %v", here)
	}
	if !IsTableID("abcdefgh234567zz") || IsTableID("abcdefgh234567z") || IsTableID("abcdefgh2345671!") {
		t.Error("ids of tables")
	}
}

// An entry's dice have the shares that were added before it, of the session at that time.
func TestSessionOfAnEntryHasOnlyEarlierShares(t *testing.T) {
	all := Sessions{
		{N: 1, From: 1, To: 10, Seats: []string{"s1", "s2"}, Shares: []string{"a", "b"}, SharedAt: []uint64{3, 5}},
		{N: 2, From: 10},
	}
	for seq, want := range map[uint64]struct{ n, shares int }{
		1: {1, 0}, 3: {1, 0}, 4: {1, 1}, 5: {1, 1}, 6: {1, 2}, 9: {1, 2}, 10: {2, 0}, 99: {2, 0},
	} {
		if s := all.At(seq); s.N != want.n || len(s.Shares) != want.shares || len(s.Seats) != want.shares {
			t.Errorf("entry %d: session %d with %d shares", seq, s.N, len(s.Shares))
		}
	}
	if all.At(0) != nil || all.Now().N != 2 {
		t.Error("no session is before the first entry")
	}
	m := &Move{ID: "m4", Session: all.At(4)}
	if all.ContinueMove(m, 9) != m || all.ContinueMove(m, 12).Session.N != 2 || m.Session.N != 1 {
		t.Error("a move continues with the dice of its session, or of a later one after an import")
	}
}

// For a recap a character remembers its sheet at the start of each of the newest sessions.
func TestSheetsAtSessionStartAreRemembered(t *testing.T) {
	st := start()
	for n := 1; n <= MostStarts+2; n++ {
		for range 2 {
			st = st.Next(edits(st, "c1", luck(st, "c1")+1))
		}
		st = st.Next(entry(st, view.KindSession, does(func(st *State, r *Record) {
			st.Sessions = append(slices.Clip(st.Sessions),
				&Session{N: n + 1, From: r.Seq, Began: time.Unix(int64(n), 0)})
		})))
	}
	c := st.Characters.Of("c1")
	for session, want := range map[int]struct {
		before, after int
		touched       bool
	}{
		1: {}, 2: {}, 3: {13, 15, true}, 4: {15, 17, true}, MostStarts + 2: {35, 37, true}, MostStarts + 3: {},
	} {
		before, after, touched := c.SheetIn(session)
		if touched != want.touched || touched && (before != hero{want.before} || after != hero{want.after}) {
			t.Errorf("session %d: %v to %v, %v", session, before, after, touched)
		}
	}
}
