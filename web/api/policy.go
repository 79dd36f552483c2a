package api

import "encoding/json"

// Policy is what is best chosen where.
type Policy struct {
	Worth   string   `json:"worth" example:"7/9" doc:"the aim's expected value, a reduced fraction"`
	Value   float64  `json:"value" doc:"the same, for display"`
	Choices []Choice `json:"choices" doc:"in the order in which they come up"`
	Assumed []string `json:"assumed,omitempty" doc:"questions with too many answers to try, which got their standard one"`
}

// Choice is the best answer to a question in one situation.
type Choice struct {
	Question    string          `json:"question" doc:"its id"`
	About       any             `json:"about,omitempty" doc:"the situation"`
	Answer      json.RawMessage `json:"answer"`
	P           string          `json:"p" doc:"the chance that it comes to this"`
	Probability float64         `json:"probability" doc:"the same, for display"`
}
