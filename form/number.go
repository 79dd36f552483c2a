package form

import (
	"encoding/json"
	"strconv"
)

// Number is an int that may be left empty, which isn't 0. The zero Number is empty.
type Number struct {
	n     int
	given bool
}

// NewNumber returns a Number that holds n.
func NewNumber(n int) Number { return Number{n, true} }

// Or returns the number, or usual if it is empty.
func (n Number) Or(usual int) int {
	if n.given {
		return n.n
	}
	return usual
}

// IsZero reports whether the number is empty, so that JSON can leave it out.
func (n Number) IsZero() bool { return !n.given }

// String returns the number as people type it, "" if it is empty.
func (n Number) String() string {
	if !n.given {
		return ""
	}
	return strconv.Itoa(n.n)
}

// MarshalJSON implements json.Marshaler. An empty number is null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.given {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(n.n), 10), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(data []byte) error {
	var read *int
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*n = Number{}
	if read != nil {
		*n = NewNumber(*read)
	}
	return nil
}
