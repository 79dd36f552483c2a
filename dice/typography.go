package dice

// plain returns the plain form of a typographic sign that phones and editors insert.
func plain(r rune) rune {
	switch r {
	case '−', '–', '—', '‐', '‑', '‒', '﹣', '－':
		return '-'
	case '＋':
		return '+'
	case '×', '✕', '✖', '∗', '·', '⋅', '＊':
		return '*'
	case '÷', '∕', '⁄', '／':
		return '/'
	case '！':
		return '!'
	case '（':
		return '('
	case '）':
		return ')'
	case '，', '、':
		return ','
	case '；':
		return ';'
	case '：':
		return ':'
	case '＝':
		return '='
	case '＞', '›':
		return '>'
	case '＜', '‹':
		return '<'
	case '％':
		return '%'
	case '＃':
		return '#'
	}
	if '０' <= r && r <= '９' {
		return r - '０' + '0'
	}
	return r
}
