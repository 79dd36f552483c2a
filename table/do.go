package table

import (
	"context"

	"norn/game"
	"norn/internal/picture"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// Do makes a seat do an act: it checks the role, returns the existing entry for a repeated key, or
// else validates, writes and publishes a new one. Errors are those of package refusal; each act's
// file says when it refuses.
func Do[Request, Answer any](ctx context.Context, s *Seat, a act.Act[Request, Answer], r Request, key string) (Answer,
	error,
) {
	answer, err := s.do(ctx, a.Definition, r, key)
	if err != nil {
		var none Answer
		return none, err
	}
	return answer.(Answer), nil
}

// DoAny does an act of which only the definition knows the types, with the request that was read.
func DoAny(ctx context.Context, s *Seat, d *act.Definition, in act.Input) (any, error) {
	request, key := in.Request()
	return s.do(ctx, d, request, key)
}

func (s *Seat) do(ctx context.Context, d *act.Definition, request any, key string) (any, error) {
	if d == act.TakeEdition.Definition && s.role == game.Master {
		if err := attachText(ctx, s); err != nil {
			return nil, err
		}
	}
	var err error
	var again bool
	var leave func()
	switch asked := request.(type) {
	case act.ImportRequest:
		if ctx, leave, again, err = s.admit(ctx, act.CheckRoomForCharacter, key); err == nil && !again {
			defer leave()
			request, err = attachPortrait(ctx, s, d, asked)
		}
	case act.ListRequest:
		if !asked.Brings() {
			break
		}
		if ctx, leave, again, err = s.admit(ctx, roomForList(asked), key); err == nil && !again {
			defer leave()
			request, err = attachList(ctx, s, asked)
		}
	case act.PickRequest:
		request, err = readRow(ctx, s, asked)
	}
	if err != nil {
		return nil, err
	}
	r, err := s.write(ctx, key, d.Op, d.Key(request), func(e *visibility.Eye) (ledger.Draft, error) {
		return d.Build(act.Call{Eye: e, Secret: s.secret, Entropy: s.host.Entropy}, request)
	})
	if err != nil {
		return nil, err
	}
	made := &act.Written{Record: r}
	err = s.look(ctx, func(e *visibility.Eye) error {
		made.Shown = projection.Entry(e, r)
		return nil
	})
	switch {
	// the seat has just revoked itself, or the change was empty and has no lines
	case refusal.IsGone(err), err == nil && made.Shown == nil:
		made.Shown = &view.Entry{
			Seq: r.Seq, Time: r.Time, Kind: r.Kind, Seat: view.Author{ID: s.id}, Throws: []view.Throw{},
			Lines:     []view.Line{},
			Questions: []view.Asked{}, Done: true, Rules: r.Rules, Edition: r.Edition,
		}
	case err != nil:
		return nil, err
	}
	return d.Respond(s.secret(), made), nil
}

// attachPortrait attaches the portrait of a character's file, once the rest was found good: nothing is half taken.
func attachPortrait(ctx context.Context, s *Seat, d *act.Definition, r act.ImportRequest) (act.ImportRequest, error) {
	err := s.look(ctx, func(e *visibility.Eye) error {
		made, err := d.Build(act.Call{Eye: e, Secret: s.secret, Entropy: s.host.Entropy}, r)
		if err != nil {
			return err
		}
		made.Content.Sign(e.Table.Edition, s.host.Version)
		return act.Judge(e, made, s.host.Now())
	})
	if err != nil {
		return r, err
	}
	portrait, err := r.PortraitOf()
	if err == nil && portrait == nil {
		return r, nil
	}
	var attached view.PictureShown
	if err == nil {
		attached, err = s.AddPicture(ctx, portrait.Data, picture.Portrait, "")
	}
	if refusal.IsRefusal(err) && r.Fitting {
		return r.WithPortrait(""), nil
	}
	return r.WithPortrait(attached.Hash), err
}
