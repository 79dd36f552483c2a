package undertow

import "norn/game"

type hurt struct {
	Who   string `json:"who"`
	Level int    `json:"level" say:"N"`
	Text  string `json:"text"`
}

func (e hurt) Apply(s *Smuggler) { game.Add(&s.Harm, Mark{e.Text}) }

type broken struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

func (e broken) Apply(s *Smuggler) {
	s.Stress = 0
	game.Add(&s.Traumas, Mark{e.Text})
}
