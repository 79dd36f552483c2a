package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"norn/form"
)

// fingerprint returns a hash that distinguishes requests with the same key. JSON in a request
// counts by its meaning, not by its spaces and order.
func fingerprint(op string, request any) string {
	data, err := json.Marshal(request)
	if err != nil { // a part isn't JSON, so no entry can match it
		return ""
	}
	sum := sha256.Sum256(canonical(append(make([]byte, 0, len(op)+1+len(data)), op+" "...), data, 0))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// maxNested bounds the depth that canonical looks at, because each level is read again by all
// levels above it. No form accepts JSON that is nested deeper.
const maxNested = 40

// canonical appends valid JSON as encoding/json writes it: without spaces, with members sorted by
// name; of several with one name the last.
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
		_ = json.Unmarshal(data, &text) // valid by the function's contract
		again, _ := json.Marshal(text)  // a string always encodes
		return append(to, again...)
	}
	return append(to, data...)
}
