package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"norn/form"
)

// fingerprint is what tells one request from another under the same key. JSON
// in it counts by its meaning, not by its spaces and order.
func fingerprint(op string, request any) string {
	data, err := json.Marshal(request)
	if err != nil { // a part that isn't JSON: no entry can stand for it
		return ""
	}
	sum := sha256.Sum256(canonical(append(make([]byte, 0, len(op)+1+len(data)), op+" "...), data, 0))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// maxNested bounds how deep canonical looks, for each depth is read over again
// by those above. No form takes JSON that is nested deeper.
const maxNested = 40

// canonical appends valid JSON without spaces as encoding/json writes it: members
// by name, of several by one name the last.
func canonical(to, data []byte, depth int) []byte {
	switch {
	case depth > maxNested:
		return append(to, data...)
	case data[0] == '{':
		var few [12]form.Member
		members := few[:0]
		for m := range form.Members(data) {
			members = append(members, m)
		}
		slices.SortStableFunc(members, func(a, b form.Member) int { return bytes.Compare(a.Name, b.Name) })
		to = append(to, '{')
		begin := len(to)
		for i, m := range members {
			if i+1 < len(members) && bytes.Equal(members[i+1].Name, m.Name) {
				continue
			}
			if len(to) > begin {
				to = append(to, ',')
			}
			to = canonical(append(canonical(to, m.Quoted, depth), ':'), m.Value, depth+1)
		}
		return append(to, '}')
	case data[0] == '[':
		to = append(to, '[')
		begin := len(to)
		for item := range form.Items(data) {
			if len(to) > begin {
				to = append(to, ',')
			}
			to = canonical(to, item, depth+1)
		}
		return append(to, ']')
	case data[0] == '"' && bytes.IndexByte(data, '\\') >= 0:
		var text string
		_ = json.Unmarshal(data, &text) // it's valid
		again, _ := json.Marshal(text)  // and so is this
		return append(to, again...)
	}
	return append(to, data...)
}
