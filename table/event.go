package table

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"norn/dice"
	"norn/game"
	"norn/lang"
)

// What a table's own entries say. Types and members are stable: the journal
// holds them. None of these is ever shown as it is; lines.go says what is.

type opened struct {
	Game     string          `json:"game"`
	Name     string          `json:"name"`
	Lang     lang.Lang       `json:"lang"`
	Settings json.RawMessage `json:"settings"` // the game's own at that time
	settings any
}

type seatAdded struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

type seatRenamed struct {
	ID   string `json:"id"`
	Was  string `json:"was"`
	Name string `json:"name"`
}

type seatRevoked struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type seatRenewed struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

type characterAdded struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Owner string          `json:"owner,omitempty"`
	Sheet json.RawMessage `json:"sheet"`
	sheet any
}

// characterChanged holds the new whole of what has changed and nothing of what
// hasn't.
type characterChanged struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Was     string          `json:"was"` // its name before
	Name    *string         `json:"name,omitempty"`
	Owner   *string         `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet,omitempty"`
	Changed []string        `json:"changed,omitempty"` // members of the sheet
	Edits   []edit          `json:"edits,omitempty"`   // its values one by one, unless they are many
	sheet   any
}

// characterRemoved names those who get back what it held of theirs; earlier ones
// freed nothing.
type characterRemoved struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Frees []string `json:"frees,omitempty"`
}

type settingsChanged struct {
	Settings json.RawMessage `json:"settings"`
	Changed  []string        `json:"changed"`
	settings any
}

// moveShown opens a secret move that has ended to everybody.
type moveShown struct {
	Move string `json:"move"`
}

// diceSealed begins a session of dice.
type diceSealed struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	seal       dice.Secret
}

// open reads the secret, which must be the one that was committed to.
func (e diceSealed) open() (dice.Secret, error) {
	if e.Secret == "" { // of an import: whoever has the secret is elsewhere
		if sum, err := hex.DecodeString(e.Commitment); err != nil || len(sum) != sha256.Size {
			return dice.Secret{}, errors.New("a commitment is 64 hexadecimal digits")
		}
		return dice.Secret{}, nil
	}
	seal, err := dice.ParseSecret(e.Secret)
	if err == nil && e.Commitment != seal.Commitment() {
		err = errors.New("the secret of the dice isn't the one that was committed to")
	}
	return seal, err
}

// tableImported says that all entries up to here are from a file.
type tableImported struct {
	Exported time.Time `json:"exported"`
	Norn     string    `json:"norn"`
	Entries  int       `json:"entries"`
}

// sessionEnded opens the secret of a session of dice to everybody. It holds all
// that it takes, so that an entry alone can be checked.
type sessionEnded struct {
	N          int          `json:"n"`
	Secret     string       `json:"secret"`
	Commitment string       `json:"commitment"`
	Shares     []shareGiven `json:"shares"`
}

type shareGiven struct {
	Seat  string `json:"seat"`
	Share string `json:"share"`
}

type shareAdded struct {
	Session int    `json:"session"`
	Seat    string `json:"seat"`
	Share   string `json:"share"`
}

type moveUndone struct {
	Move string `json:"move"`
}

type moveCancelled struct {
	Move string `json:"move"`
}

// changeUndone takes back a change of a character or of the settings.
type changeUndone struct {
	Seq uint64 `json:"seq"` // of the change
}

// talkSaid is what somebody said, for themselves or for a character.
type talkSaid struct {
	Text      string `json:"text"`
	Character string `json:"character,omitempty"`
}

func (opened) Type() string           { return "table.opened" }
func (seatAdded) Type() string        { return "table.seat-added" }
func (seatRenamed) Type() string      { return "table.seat-renamed" }
func (seatRevoked) Type() string      { return "table.seat-revoked" }
func (seatRenewed) Type() string      { return "table.seat-renewed" }
func (characterAdded) Type() string   { return "table.character-added" }
func (characterChanged) Type() string { return "table.character-changed" }
func (characterRemoved) Type() string { return "table.character-removed" }
func (settingsChanged) Type() string  { return "table.settings-changed" }
func (moveShown) Type() string        { return "table.move-shown" }
func (diceSealed) Type() string       { return "table.dice-sealed" }
func (sessionEnded) Type() string     { return "table.session-ended" }
func (shareAdded) Type() string       { return "table.share-added" }
func (moveUndone) Type() string       { return "table.move-undone" }
func (moveCancelled) Type() string    { return "table.move-cancelled" }
func (changeUndone) Type() string     { return "table.change-undone" }
func (tableImported) Type() string    { return "table.imported" }
func (editionTaken) Type() string     { return "table.edition-taken" }
func (talkSaid) Type() string         { return "table.talk-said" }

// ownEvents reads them back, as a game does its events.
var ownEvents = &game.Game{Events: []game.EventType{
	game.EventOf[opened](), game.EventOf[seatAdded](), game.EventOf[seatRenamed](), game.EventOf[seatRevoked](),
	game.EventOf[seatRenewed](), game.EventOf[characterAdded](), game.EventOf[characterChanged](),
	game.EventOf[characterRemoved](func(old map[string]any) map[string]any { return old }), game.EventOf[settingsChanged](), game.EventOf[diceSealed](), game.EventOf[moveShown](),
	game.EventOf[sessionEnded](), game.EventOf[shareAdded](), game.EventOf[moveUndone](), game.EventOf[moveCancelled](),
	game.EventOf[changeUndone](), game.EventOf[tableImported](),
	game.EventOf[moveCalled](), game.EventOf[callWithdrawn](), game.EventOf[noteKept](), game.EventOf[moveStarred](),
	game.EventOf[talkSaid](), game.EventOf[editionTaken](), game.EventOf[seatRestored](),
}}
