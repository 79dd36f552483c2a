package table

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"norn/table/act"
	"norn/table/request"
)

// keyedAct is an act and a request with the fingerprint that journals hold.
type keyedAct struct {
	act     *act.Definition
	request any
	want    string
}

// keyedChanges lists acts of talk and characters.
func keyedChanges() []keyedAct {
	name, nobody := "Vex the Second", ""
	return []keyedAct{
		{
			act.Talk.Definition,
			act.TalkRequest{Text: "Anybody home?", Character: "c1"},
			"qQxiYu44RhFArsmUH1LwShX6WM7hFqBxJ1oHAWu9YCs",
		},
		{
			act.Talk.Definition,
			act.TalkRequest{Text: "Psst", ToGM: true, To: "s2"},
			"z4fAPk_8jP4CuMEqN7S2ogw6aAX2lp_-g4bmDU9ZtWU",
		},
		{act.AddCharacter.Definition, act.CharacterRequest{
			Name: "Vex", Kind: "pc", Owner: "s2",
			Sheet: json.RawMessage(`{"b":1, "a":"<"}`),
		}, "s_z3P2NCCusNQwyvKMDs4r2Ig5y4HlSGqFwLwFEc0Rw"},
		{act.AddCharacter.Definition, act.CharacterRequest{Hero: "h1"}, "o9WqauOS93Fiz6JY3mE8BYo6r1-V8Z8b5nd8ozNJKoY"},
		{
			act.AddCharacter.Definition,
			act.CharacterRequest{Like: "c1", Hidden: true},
			"q0zSkT8EGPtwmy-OQmPUU7nCQMPt27W_I5x1k0eZ4T8",
		},
		{
			act.ChangeCharacter.Definition,
			act.ChangeRequest{ID: "c1", Name: &name, Owner: &nobody, Sheet: json.RawMessage(`{"b":null}`)},
			"QGu101K_0M7DzeUIBj1ZyN76kZNP8vQRtO2PbtFUZEc",
		},
		{
			act.ChangeCharacter.Definition,
			act.ChangeRequest{ID: "c1", Put: &request.Put{Path: "stress.blood", Text: "2", Among: "x"}},
			"YVdp9_hHbuj3x3-q3SCD8QynLGOORJFfQrPxAxuBi9M",
		},
	}
}

// keyedSeats lists acts of moves, seats and sessions.
func keyedSeats() []keyedAct {
	return []keyedAct{
		{act.Undo.Definition, act.UndoRequest{Seq: 12}, "icedMJgc6eiqVPSh6CgNfuw74432MIRw85trcBL--4o"},
		{act.Cancel.Definition, act.CancelRequest{Move: "m12"}, "00oYMMx12dvCV-Riyk-ZfR7WW9ptvFgdJKexZjfRH_M"},
		{
			act.StarMove.Definition,
			act.StarRequest{Character: "c1", Move: "check", On: true},
			"JQ1H7c9zUDHclo-SEBRB8enAF0tZMmu3_2-Xdyk9SKM",
		},
		{
			act.AddShare.Definition,
			act.ShareRequest{Share: "d1f09a6b37c24e58"},
			"CQk8-Qo1Oc-3qmlYBLTLiQYPNhUAcP_3CUbwnGBUqx0",
		},
		{
			act.RenameSeat.Definition,
			act.RenameRequest{Seat: "s2", Name: "Olena K."},
			"RLcp8qbsq8b9aITmsoRFTFO1rh2ccb6ozqMOEmhPkWU",
		},
		{
			act.SetPortrait.Definition,
			act.PortraitRequest{Character: "c1", Picture: "ab"},
			"xhG2Yr0pLMeN55ahE_p5jqoCDZn_5dQWUg4hSAvAVS8",
		},
		{
			act.AddSeat.Definition,
			act.SeatRequest{Name: "Olena", Role: "player"},
			"MqGREwfGGarSJ2YmPMKC5BQoCBVuJ79T5Wao5HDkAvQ",
		},
		{act.RenewSeat.Definition, act.SeatNamed{Seat: "s2"}, "qCBzSpON6xr1QTlw65a81qoVuGIarS7iZUdBBQKUuGU"},
		{act.RevokeSeat.Definition, act.SeatNamed{Seat: "s2"}, "Je9JssqVlfCsp09fVQpcWD7LC70tX_NOXB60yerbbPk"},
		{
			act.CallMove.Definition,
			act.CallRequest{
				Move: "check", Character: "c1",
				Args: json.RawMessage(`{"difficulty":1}`), Text: "Over the wet roof",
			},
			"AbPQaY0XtNnrQpO15EiB3TFoQ10KLhq7Jj03b0nFK8o",
		},
		{
			act.WithdrawCall.Definition,
			act.WithdrawRequest{Call: "call1"},
			"zrY95moTmZWEk9cY2M_ACwJbK6fdH8mklMOZWO2KzFQ",
		},
		{
			act.Configure.Definition,
			act.ConfigureRequest{Settings: json.RawMessage(`{"b":1, "a":true}`)},
			"qPJm8ZrdZ2TWZ0K6Hi-8jDPPEIp8ArzjrlNjyYLh0sA",
		},
		{act.TakeEdition.Definition, act.Nothing{}, "WMZlSZsfsp0r5mCwvcrKxedmnnU8T9teftSu1PacMYw"},
		{act.EndSession.Definition, act.Nothing{}, "GXrPtyD1jAyLXw0mT-CSe4ktzAqC4knuTjoPOGCjI74"},
		{
			act.PlanSession.Definition,
			act.PlanRequest{At: time.Date(2026, 12, 3, 20, 0, 0, 0, time.FixedZone("", 7200))},
			"USlIGF_eNaz3N52GQJ7QDVEXLVgrdcSNapyTAi_vKLI",
		},
		{act.PlanSession.Definition, act.PlanRequest{}, "p1n40Gk_FPHjuOTNF1zfDfjOh5UUdhvw4l0JnO8JhhA"},
	}
}

// keyedSecrets lists acts that show and hide, notes, pictures and clocks.
func keyedSecrets() []keyedAct {
	return []keyedAct{
		{act.ShowMove.Definition, act.MoveNamed{Move: "m12"}, "O-82e-uPENduoC1noz0aV_YIdVKaj4-sgLIXqSaJ_4E"},
		{
			act.ShowCharacter.Definition,
			act.CharacterNamed{Character: "c1"},
			"Bf1LzLbmw2-vYZpVMvIYSkKiVAVphgZkz4jh6Et_nsI",
		},
		{
			act.RemoveCharacter.Definition,
			act.CharacterNamed{Character: "c1"},
			"fGnvu1xh-rRQbdGkijB0ieRhSBf4DzplqnmR0tNkM94",
		},
		{
			act.KeepNote.Definition,
			act.NoteRequest{ID: "n12", Text: "The steward has the second key."},
			"YvHdJVqt44CHFdWSeAX5G52JGfYQ8je_30AG2-tDP8k",
		},
		{
			act.ShareNote.Definition,
			act.ShareNoteRequest{Note: "n12", To: []string{"s2"}},
			"_YkkmBIYdjeoenavINS5fhNY7w-JX9HqXkXc4WZQOVE",
		},
		{act.ShareNote.Definition, act.ShareNoteRequest{Note: "n12"}, "tp_K9ZfkfEagIyaejzaukhOdf1UYpmJxJpXrmMCRP6Y"},
		{act.HideNote.Definition, act.HideNoteRequest{Note: "n12"}, "g5wuPnl__CM_chUlwc2bf1ts-emIbtTChBy277Ho4-w"},
		{
			act.ShowPicture.Definition,
			act.ShowPictureRequest{Picture: "ab", Alt: "A bridge", To: []string{"s2"}},
			"T6ijZzOsL0IPJvMlQCIXDHDE10CtVKra2ETlMJMMBNw",
		},
		{
			act.ShowPicture.Definition,
			act.ShowPictureRequest{Picture: "ab", Alt: "A bridge"},
			"8ahsF7kQFmV_EhlK0RhcggyRWM0Vwb37Z6SKwfFZqOM",
		},
		{act.HidePicture.Definition, act.PictureNamed{Picture: "ab"}, "rEM6s-ETOCRxP8lychaLkUUTV-B2rThR4VWdteSpWaI"},
		{
			act.SetClock.Definition,
			act.ClockRequest{Name: "The watch", Max: 6, At: 1, To: []string{"s2"}},
			"UO4SZDsbklIV2rZJtHbKlW1jXpHVbyQ7DxT_yys_0Vs",
		},
		{
			act.SetClock.Definition,
			act.ClockRequest{Name: "The watch", Max: 6, At: 1},
			"-4A7FUX3GkjmcTlNCZiHu0Vo8YCJ15ridCoA4S9mXKc",
		},
		{
			act.TickClock.Definition,
			act.TickRequest{Clock: "k12", By: -1},
			"tD3iNobmzGr7O9cALNtpfMi_kSGslNNvH3CRZ9MDYO4",
		},
		{act.RemoveClock.Definition, act.ClockNamed{Clock: "k12"}, "LLdmMbGtaeYwjOBiPp3gBMPYiXIjNhQmjcFvkkX1hps"},
		{act.PutXAway.Definition, act.Nothing{}, "1nb5EkiI7iJ_vHRRK8pYpOtxNZdjpNiAqf4SFncIdkM"},
	}
}

// Journals have fingerprints of requests, so a retry after an upgrade must have the same one.
func TestFingerprintsOfActsDoNotChange(t *testing.T) {
	for _, c := range slices.Concat(keyedChanges(), keyedSeats(), keyedSecrets()) {
		if got := fingerprint(c.act.Op, c.act.Key(c.request)); got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.act.Name, c.request, got, c.want)
		}
	}
}
