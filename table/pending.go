package table

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"time"

	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/odds"
	"norn/relay"
)

type Config struct {
	Games   []*game.Game
	Words   *lang.Words
	Journal journal.Journal
	Relay   relay.Relay
	Now     func() time.Time
	Entropy io.Reader // crypto/rand.Reader
	Log     *slog.Logger
	Version string
}
type (
	Host struct{}
	Seat struct{}
)

func New(c Config) *Host                                                { panic("") }
func (h *Host) Close() error                                            { panic("") }
func (h *Host) Create(ctx context.Context, n NewTable) (Created, error) { panic("") }
func (h *Host) Enter(ctx context.Context, tableID, secret string, l lang.Lang) (*Seat, error) {
	panic("")
}

// VoiceOf is a voice of no table, for errors before anybody is seated.
func VoiceOf(s lang.Speaker) game.Voice                                             { panic("") }
func (s *Seat) ID() string                                                          { panic("") }
func (s *Seat) Table() string                                                       { panic("") }
func (s *Seat) Game() *game.Game                                                    { panic("") }
func (s *Seat) Role() game.Role                                                     { panic("") }
func (s *Seat) Voice(ctx context.Context) (game.Voice, error)                       { panic("") }
func (s *Seat) View(ctx context.Context) (*View, error)                             { panic("") }
func (s *Seat) Log(ctx context.Context, after uint64, limit int) ([]Entry, error)   { panic("") }
func (s *Seat) Last(ctx context.Context, n int) ([]Entry, error)                    { panic("") }
func (s *Seat) AddSeat(ctx context.Context, r NewSeatRequest) (Invitation, error)   { panic("") }
func (s *Seat) RenameSeat(ctx context.Context, id, name, key string) (Entry, error) { panic("") }
func (s *Seat) RevokeSeat(ctx context.Context, id, key string) (Entry, error)       { panic("") }
func (s *Seat) RenewSeat(ctx context.Context, id, key string) (Invitation, error)   { panic("") }
func (s *Seat) AddCharacter(ctx context.Context, n NewCharacter) (Entry, error)     { panic("") }
func (s *Seat) ChangeCharacter(ctx context.Context, c Change) (Entry, error)        { panic("") }
func (s *Seat) RemoveCharacter(ctx context.Context, id, key string) (Entry, error)  { panic("") }
func (s *Seat) NewSheetForm(ctx context.Context, kind string) (SheetForm, error)    { panic("") }
func (s *Seat) SheetForm(ctx context.Context, character string) (SheetForm, error)  { panic("") }
func (s *Seat) Configure(ctx context.Context, settings json.RawMessage, key string) (Entry, error) {
	panic("")
}
func (s *Seat) Make(ctx context.Context, r Request) (Made, error)                        { panic("") }
func (s *Seat) Answer(ctx context.Context, r Reply) (Made, error)                        { panic("") }
func (s *Seat) Odds(ctx context.Context, r Request) (*odds.Odds, error)                  { panic("") }
func (s *Seat) MoveForm(ctx context.Context, move, character string) (*form.Form, error) { panic("") }
func (s *Seat) Watch(ctx context.Context, after uint64) iter.Seq2[Update, error]         { panic("") }
