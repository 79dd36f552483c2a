//go:build e2e

package playtest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"norn/lang"
)

// These flags set how many sessions TestPagesShowTheSameWhenAllIsQuiet plays, and the number of the
// first one. A session's number is its seed.
var (
	evenings = flag.Int("evenings", 1, "how many evenings TestPagesShowTheSameWhenAllIsQuiet plays")
	evening  = flag.Uint64("evening", 4, "the first evening of TestPagesShowTheSameWhenAllIsQuiet")
)

// A round is a number of actions, after which the pages are compared.
const (
	rounds = 2
	deeds  = 14
)

// shaky makes the connection of a page bad: requests and answers are delayed randomly and split
// into pieces. cut() ends its streams; away() drops everything in transit and new requests until
// back().
const shaky = `(() => {
	if (window !== top || !location.pathname.startsWith('/t/')) return
	let state = 1, gone = false, slow = 0
	const chance = () => { // mulberry32
		state = state + 0x6D2B79F5 | 0
		let t = Math.imul(state ^ state >>> 15, 1 | state)
		t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
		return ((t ^ t >>> 14) >>> 0) / 2 ** 32
	}
	const real = window.fetch, streams = new Set(), asked = new Set()
	const rest = () => new Promise((go) => setTimeout(go, slow * chance() ** 2))
	window.asked = asked
	window.moved = performance.now()
	window.fetch = async (at, how = {}) => {
		const follows = String(at).includes('/live')
		const cut = new AbortController(), mine = follows ? {} : { at: String(at) }
		if (!follows) asked.add(mine)
		mine.cut = () => cut.abort(new TypeError('the connection is lost'))
		const lost = new Promise((_, no) => cut.signal.addEventListener('abort', () => no(cut.signal.reason)))
		lost.catch(() => {})
		try {
			if (gone) throw new TypeError('no connection')
			await Promise.race([rest(), lost])
			const answer = await Promise.race([real(at, { ...how, signal: how.signal ? AbortSignal.any([how.signal, cut.signal]) : cut.signal }), lost])
			if (!follows) await Promise.race([rest(), lost])
			if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream')) return answer
			streams.add(mine)
			const late = new TransformStream({ async transform(chunk, out) {
				await rest()
				const at = slow > 0 ? Math.floor(chance() * chunk.length) : 0
				if (at) { out.enqueue(chunk.subarray(0, at)); await rest() }
				out.enqueue(chunk.subarray(at))
			} })
			return new Response(answer.body.pipeThrough(late), { status: answer.status, headers: answer.headers })
		} finally {
			if (!follows) setTimeout(() => asked.delete(mine))
		}
	}
	window.seed = (n) => { state = n }
	window.slowly = (ms) => { slow = ms }
	window.cut = () => { for (const one of streams) one.cut(); streams.clear() }
	window.away = () => { gone = true; cut(); for (const one of asked) one.cut?.(); dispatchEvent(new Event('offline')) }
	window.back = () => { gone = false; dispatchEvent(new Event('online')) }
	window.heard = []
	for (const name of ['view', 'entry']) addEventListener('live:' + name, ({ detail }) => heard.push([name, detail.id ?? '-', ...[...detail.data.matchAll(/hx-target="(#sheet-[^"]*|#log|#cast|#[a-z]*-stale)"/g)].map((m) => m[1])].join(' ')))
	addEventListener('htmx:before:swap', ({ detail: { ctx, tasks } }) => { if (!ctx.news) heard.push('  answer of ' + ctx.request?.method + ' ' + ctx.request?.action + ': ' + tasks.map((t) => t.target?.id + ' ' + t.swapSpec.style).join(' ')) }, true)
	addEventListener('error', (event) => { (window.faults ??= []).push(event.message) })
	addEventListener('DOMContentLoaded', () => new MutationObserver(() => { window.moved = performance.now() }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }))

	// What people do by the page's own controls. n is a number from chance, between 0 and 1.
	const one = (n, selector) => { const all = [...document.querySelectorAll(selector)]; return all[Math.floor(n * all.length)] }
	const fill = (form) => {
		for (const field of form.querySelectorAll('select, input, textarea')) {
			const n = chance()
			if (field.type === 'radio') { if (field.required && !form.querySelector('[name="' + field.name + '"]:checked') || n < .1) field.checked = true }
			else if (field.tagName === 'SELECT') { if (field.required && !field.value || n < .2) field.selectedIndex = Math.floor(chance() * field.options.length) }
			else if (field.type === 'text' && (field.inputMode === 'numeric')) { if (field.name === 'faces') field.value = Array(Number(field.closest('.question').dataset.pool)).fill(1).join(' ') }
			else if (field.type === 'text' && field.required && !field.value) field.value = 'So'
			else if (field.tagName === 'TEXTAREA' && field.required && !field.value) field.value = 'Well'
		}
		form.dispatchEvent(new Event('input', { bubbles: true }))
	}
	window.deeds = {
		sheet: (n) => one(n, '#cast a.cast-one')?.click(),
		move: (n) => one(n, '#moves a')?.click(),
		actor: (n) => { const all = document.querySelector('#actor'); if (all) { all.selectedIndex = Math.floor(n * all.options.length); all.dispatchEvent(new Event('change', { bubbles: true })) } },
		throw: () => { const form = document.querySelector('#composer-form'); if (form) { fill(form); form.querySelector('[data-throw]').click() } },
		secretly: () => { const form = document.querySelector('#composer-form'), secret = form?.querySelector('#composer-secret'); if (secret) { fill(form); secret.checked = true; form.querySelector('[data-throw]').click() } },
		call: () => document.querySelector('[data-ask]')?.click(),
		takeUp: (n) => one(n, '#calls a.button')?.click(),
		answer: (n) => { const form = one(n, 'form[data-form=answer]'); if (form) { fill(form); one(n * 7 % 1, '#' + form.closest('.question').id + ' .actions button[type=submit]')?.click() } },
		track: (n) => one(n, '#sheet [role=slider][data-value] .box')?.click(),
		tracks: (n) => { for (let i = 0; i < 3; i++) one((n * (i + 1) * 7) % 1, '#sheet [role=slider][data-value] .box')?.click() },
		tick: (n) => one(n, '#sheet button[data-value][data-kind=check]')?.click(),
		edit: (n) => {
			one(n, '#sheet button[data-value]:is([data-kind=text], [data-kind=number], [data-kind=prose])')?.click()
			const input = document.querySelector('.value-box :is(input, textarea)')
			if (!input) return
			input.value = input.type === 'number' ? String(Math.min(input.max, Number(input.min) + Math.floor(n * 50) % 9)) : 'Is ' + Math.floor(n * 1000)
			input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))
		},
		undo: (n) => one(n, '.take-back form button')?.click(),
		again: (n) => one(n, 'a.again')?.click(),
		say: (n) => { const line = document.querySelector('#line'); if (line) { line.value = 'I say ' + Math.floor(n * 1000); line.form.requestSubmit() } },
		star: () => document.querySelector('#star button')?.click(),
		note: () => { const text = document.querySelector('#new-note-text'); if (text) { text.value = 'Think of ' + Math.floor(chance() * 1000); text.form.requestSubmit() } },
		rewrite: (n) => { const text = one(n, '[data-form=note] textarea'); if (text) { text.value = 'Rather ' + Math.floor(chance() * 1000); text.form.querySelector('[value=keep]').click() } },
		drop: (n) => one(n, '[data-form=note] [value=drop]')?.click(),
		withdraw: (n) => one(n, '[data-form=withdraw] button')?.click(),
		stock: (n) => one(n, '[data-form=stock] button, [data-form=unplayed] button')?.click(),
		settings: (n) => { const form = document.querySelector('#drawer [data-form=settings]'); if (form) { fill(form); const tick = one(n, '#drawer [data-form=settings] input[type=checkbox]'); if (tick) tick.checked = !tick.checked; form.requestSubmit() } },
		reset: (n) => one(n, '[data-form=reset] button')?.click(),
		show: (n) => one(n, '[data-form=show] button')?.click(),
		session: () => document.querySelector('[data-form=session] button')?.click(),
		rename: (n) => { const name = one(n, '#drawer input[id^=rename-]'); if (name) { name.value = 'Seat ' + Math.floor(n * 100); name.form.querySelector('button').click() } },
		change: () => document.querySelector('#sheet :is([data-change], [data-changed])')?.click(),
		form: () => { const open = document.querySelector('#sheet [data-edit]'); if (open) open.click(); else { const form = document.querySelector('#sheet form[data-form=sheet]'); form?.querySelector('button.primary')?.click() } },
		leave: () => document.querySelector('#sheet form[data-form=sheet] a.quiet')?.click(),
	}
})()`

// shownScript defines shown(), which returns the content of a page by its parts, without random
// values.
const shownScript = `window.shown ??= (() => {
	const kept = ['aria-current', 'aria-pressed', 'aria-checked', 'aria-valuenow', 'aria-valuemax', 'data-mine', 'data-throws', 'data-online', 'title', 'disabled', 'data-done', 'data-form', 'role', 'required']
	const aside = ({ dataset: { beside, besideValue }, parentNode }) => { // as script will hide it, in an answer that wasn't put in yet
		const by = beside && parentNode.closest('form').elements[beside]?.value
		return beside && !(besideValue ? besideValue.split('|').includes(by) : by)
	}
	const tell = (node, deep) => {
		if (node.nodeType === 3) { const text = node.data.replace(/\s+/g, ' ').trim(); return text ? [deep + text] : [] }
		if (node.nodeType !== 1 || (node.hidden || aside(node)) && !node.matches('.menu-body, .log-day')) return []
		if (node.matches('noscript, script, template, #move-form, .toast, .hear, .problem, #more-below, .sr-only[role=status]')) return []
		if (node.matches('input[type=hidden]')) return ['_key', '_nonce', '_touched', '_was', '_c', '_tab', '_a', '_m'].includes(node.name) ? [] : [deep + node.name + '=' + node.value]
		if (node.dataset.whole && node.closest('[data-joined]')) return [deep + node.dataset.whole.replace(/\s+/g, ' ').trim()] // the line names those loaded above it, too
		let head = node.localName
		if (node.id) head += '#' + node.id
		const classes = [...node.classList].filter((c) => !c.startsWith('htmx-') && c !== 'field-wrong').sort()
		if (classes.length) head += '.' + classes.join('.')
		for (const name of kept) if (node.hasAttribute(name)) head += ' ' + name + '=' + node.getAttribute(name)
		if (node.localName === 'option' && !node.value && node.closest('#composer-form .fields') && !node.selected) return [] // which a page keeps where something was chosen since
		if (node.localName === 'option') head += ' ' + node.value
		if (node.localName === 'textarea') return [deep + head + ' = ' + node.value]
		if (node.localName === 'svg' && !node.querySelector('[role], title, text')) return [deep + 'svg']
		const inner = [...node.childNodes].flatMap((child) => tell(child, deep + '  '))
		return node.matches('span, li, p, ul, div, ol') && !inner.length && !node.id && !classes.length ? [] : [deep + head, ...inner]
	}
	const parts = ['#waiting', '#online', '#seal', '#cast', '#sheet', '#calls', '#queue', '#tab-count',
		'#gm-calls', '#gm-stock', '#gm-notes', '#gm-secret', '#gm-tally', '#gm-cast', '#gm-questions', '#line-as', '#drawer-session', '#drawer-seats > ul', '#drawer-settings > ul', '#add-owner']
	return async () => {
		const all = { title: document.title }
		for (const part of parts) all[part] = [...document.querySelectorAll(part)].flatMap((node) => tell(node, '')).join('\n')
		for (const card of document.querySelectorAll('#log > li:not(.log-day)')) all['card ' + card.id] = tell(card, '').join('\n')
		all.order = [...document.querySelectorAll('#log > li:not(.log-day)')].map((card) => card.id).join(' ')
		const composer = (root) => ['.composer-who', '#composer-form .fields', '#composer-form .call', '#composer-form .actions', '#odds', '#nothing-to-do'].flatMap((part) => [...root.querySelectorAll(part)]).flatMap((node) => tell(node, '')).join('\n')
		all.composer = composer(document)
		all.mending = document.querySelector('#composer-box .problem')?.textContent ?? ''
		const form = document.querySelector('#composer-form')
		const query = form ? new URLSearchParams(new FormData(form)) : new URLSearchParams()
		const answer = await fetch(document.querySelector('#move-form').getAttribute('hx-get') + '&' + query, { headers: { 'HX-Request': 'true' } })
		all.recomposed = composer(new DOMParser().parseFromString(await answer.text(), 'text/html'))
		return JSON.stringify(all)
	}
})()`

// follower is a page at the table of a session.
type follower struct {
	*seat
	secret string
}

// wavers gives every page from now on a connection that can be made bad.
func (s *seat) wavers() {
	s.t.Helper()
	s.do("waver", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: shaky + ";" + shownScript,
		})
		return err
	}))
}

// quiet waits until all pages are live and online in each other's eyes, and none has anything in
// transit, in either direction: one page's request may cause news for all.
func (e *night) quiet() {
	e.t.Helper()
	all := func() string {
		for _, p := range e.pages {
			if why := p.ask(busy); why != "" {
				return p.name + ": " + why
			}
		}
		return ""
	}
	for _, p := range e.pages {
		p.run("window.slowly?.(0); window.back?.(); document.activeElement?.blur(); document.dispatchEvent(new Event('visibilitychange'))")
	}
	e.pages[0].until("come to rest with all", func() bool { return all() == "" }, all)
}

// busy returns the pending work of a page, "" for none.
const busy = `(() => {
		const why = []
		if (!document.querySelector('[data-live-state=open]')) why.push('not live')
		if (document.querySelector('#online [data-online=false]')) why.push('somebody is offline')
		if (!window.asked || window.asked.size) why.push('asks ' + [...window.asked ?? []].map((one) => one.at))
		if (document.querySelector('#queue li:not(.refused)')) why.push('queued')
		if (performance.now() - window.moved < 900) why.push('moves')
		if (document.querySelector('[role=slider][data-set]')) why.push('has a track to send')
		for (const box of document.querySelectorAll('.value-box:not(.value-sending) :is(input, textarea, select)')) box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
		if (!why.length) for (const done of document.querySelectorAll('#sheet [data-changed]')) { why.push('changes'); done.click() }
		document.querySelectorAll('#queue li.refused [data-drop]').forEach((button) => button.click())
		return why.join(', ')
	})()`

// reads returns the content of the page by its parts.
func (s *seat) reads() map[string]string {
	s.t.Helper()
	s.run(shownScript)
	var parts map[string]string
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("window.shown()", chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal([]byte(text), &parts)
	}
	if err != nil {
		s.t.Fatalf("%s can't read the page: %v", s.name, err)
	}
	return parts
}

// differ returns the parts in which a page differs from a new one. The page may show more of the
// log.
func differ(page, fresh map[string]string) (parts []string) {
	for part := range fresh {
		if part == "#sheet" && strings.Contains(page[part], "form.sheet-form") { // the reader has opened its form
			continue
		}
		if part != "order" && part != "composer" && part != "recomposed" && part != "mending" &&
			page[part] != fresh[part] {
			parts = append(parts, part)
		}
	}
	if page["composer"] != page["recomposed"] && page["mending"] == "" {
		fresh["composer"] = page["recomposed"]
		parts = append(parts, "composer")
	}
	var cards []string
	for _, id := range strings.Fields(page["order"]) {
		if _, there := fresh["card "+id]; there {
			cards = append(cards, id)
		}
	}
	if !slices.Equal(cards, strings.Fields(fresh["order"])) {
		parts = append(parts, "order")
	}
	if log := strings.Fields(page["order"]); len(log) > 0 && len(cards) > 0 && log[len(log)-1] != cards[len(cards)-1] {
		parts = append(parts, "order")
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// Whatever people do, with delayed or broken connections and although norn is killed: when all is
// quiet, each page shows the same as a new one.
func TestPagesShowTheSameWhenAllIsQuiet(t *testing.T) {
	t.Parallel()
	s := serve(t)
	pages := []*seat{sit(t, "gm", 1440, 900), sit(t, "anna", 360, 780), sit(t, "ben", 1440, 900)}
	for _, p := range pages {
		p.wavers()
	}
	for n := *evening; n < *evening+uint64(*evenings); n++ {
		e := s.evening(n, pages)
		for round := range rounds {
			e.play()
			if !e.settle(round) {
				break
			}
		}
	}
}

// night is one session at a table.
type night struct {
	*server
	n      uint64
	chance *rand.Rand
	pages  []follower
	id     string
	game   string
	done   []string
}

// evening creates a table for the people at the pages.
func (s *server) evening(n uint64, pages []*seat) *night {
	s.t.Helper()
	e := &night{server: s, n: n, chance: rand.New(rand.NewPCG(n, 0))}
	e.game = plays[int(n)%len(plays)].game
	opened := s.sheets(e.game, lang.En)
	e.id = opened.id
	ben := s.must("POST", "/tables/"+e.id+"/seats", opened.secret, body{"name": "Ben", "role": "player"})
	_, anna, _ := strings.Cut(strings.TrimPrefix(opened.anna, "http://"), "/t/")
	_, anna, _ = strings.Cut(anna, "/")
	for i, secret := range []string{opened.secret, anna, ben["secret"].(string)} {
		p := pages[i]
		p.t = s.t
		p.follows(s.url("/t/" + e.id + "/" + secret))
		e.pages = append(e.pages, follower{p, secret})
	}
	for _, c := range opened.cast[1:] { // the second player gets a character too
		if e.chance.IntN(2) == 0 {
			s.must("PATCH", "/tables/"+e.id+"/characters/"+c, opened.secret, body{"owner": ben["id"]})
		}
	}
	return e
}

// play lets people act, each soon after the other.
func (e *night) play() {
	e.t.Helper()
	kinds := []string{
		"sheet", "sheet", "move", "move", "actor", "throw", "throw", "throw", "secretly", "call", "takeUp", "answer",
		"answer", "track", "tracks", "track", "change", "tick", "edit", "edit",
		"undo", "undo", "again", "say", "star", "note", "rewrite", "drop", "withdraw", "stock", "settings", "reset",
		"show", "rename", "form", "leave",
		"api-move", "api-move", "api-open", "api-answer", "api-edit", "api-owner", "api-undo", "api-note", "api-call",
		"api-settings", "api-talk", "api-name", "cut", "cut", "away", "back", "back",
	}
	killed := false
	for _, p := range e.pages {
		p.run(fmt.Sprintf("window.seed(%d); window.slowly(%d)", e.chance.Int32(),
			[]int{0, 150, 500, 1200}[e.chance.IntN(4)]))
	}
	for range deeds {
		kind := kinds[e.chance.IntN(len(kinds))]
		who := e.pages[e.chance.IntN(len(e.pages))]
		x := e.chance.Float64()
		if e.chance.IntN(60) == 0 {
			kind = "session"
		}
		if e.chance.IntN(40) == 0 && !killed {
			kind, killed = "kill", true
		}
		e.done = append(e.done, who.name+" "+kind)
		switch {
		case kind == "kill":
			e.kill()
			time.Sleep(time.Duration(e.chance.IntN(300)) * time.Millisecond) // norn is down for a random time
			e.start()
		case kind == "cut" || kind == "away" || kind == "back":
			who.run("window." + kind + "()")
		case strings.HasPrefix(kind, "api-"):
			e.byAPI(kind[4:], who, x)
		default:
			who.ask(fmt.Sprintf("window.deeds[%q](%v)", kind, x))
		}
		time.Sleep(time.Duration(e.chance.IntN(250)) * time.Millisecond) // people act at random moments
	}
}

// byAPI makes a request without a page. It may be refused.
func (e *night) byAPI(kind string, who follower, x float64) {
	e.t.Helper()
	gm, path := e.pages[0].secret, "/tables/"+e.id
	_, view := e.call("GET", path, who.secret, nil)
	pick := func(list string) map[string]any {
		all, _ := view[list].([]any)
		if len(all) == 0 {
			return map[string]any{}
		}
		return all[int(x*float64(len(all)))].(map[string]any)
	}
	play := plays[int(e.n)%len(plays)]
	someone := pick("characters")["id"]
	key := fmt.Sprint("k", len(e.done), "-", e.n)
	switch kind {
	case "move":
		e.call("POST", path+"/moves", who.secret,
			body{"move": play.move, "character": someone, "args": apiArgs(play.move, play.args), "key": key})
	case "open":
		e.call("POST", path+"/moves", who.secret,
			body{
				"move": play.move, "character": someone, "args": apiArgs(play.move, play.args), "byHand": true,
				"key": key,
			})
	case "answer":
		q := pick("questions")
		answer := q["standard"]
		if answer == nil {
			answer = body{}
		}
		e.call("POST", path+"/answers", who.secret, body{"question": q["id"], "answer": answer, "key": key})
	case "edit":
		e.call("PATCH", path+"/characters/"+fmt.Sprint(someone), who.secret,
			body{"sheet": body{"notes": key}, "key": key})
	case "name":
		e.call("PATCH", path+"/characters/"+fmt.Sprint(someone), gm, body{"name": "Name " + key, "key": key})
	case "owner":
		e.call("PATCH", path+"/characters/"+fmt.Sprint(someone), gm,
			body{"owner": []string{"", "s2", "s3"}[int(x*3)], "key": key})
	case "undo":
		seq, _ := view["seq"].(float64)
		_, log := e.call("GET", fmt.Sprint(path, "/log?after=", max(0, int(seq)-12)), who.secret, nil)
		entries, _ := log["entries"].([]any)
		for _, entry := range slices.Backward(entries) {
			if entry := entry.(map[string]any); entry["mayUndo"] == true {
				e.call("POST", path+"/undo", who.secret, body{"seq": entry["seq"], "key": key})
				break
			}
		}
	case "note":
		e.call("POST", path+"/notes", gm, body{"id": "", "text": "Of " + key, "key": key})
	case "call":
		e.call("POST", path+"/calls", gm,
			body{"move": play.move, "character": someone, "text": "now " + key, "args": body{}, "key": key})
	case "settings":
		settings, _ := view["settings"].(map[string]any)
		for name, value := range settings {
			if on, ok := value.(bool); ok {
				settings[name] = !on
				break
			}
		}
		e.call("PATCH", path+"/settings", gm, body{"settings": settings, "key": key})
	case "talk":
		e.call("POST", path+"/talk", who.secret, body{"text": "Said " + key, "key": key})
	}
}

func apiArgs(move string, args body) body {
	if move == "act" {
		return body{"deed": "Climb", "effort": "never", "bonus": 3}
	}
	return args
}

// settle waits until all is quiet, and compares each page with a new one.
func (e *night) settle(round int) bool {
	e.t.Helper()
	for _, p := range e.pages {
		p.run("window.slowly(0); window.back()")
	}
	var before []map[string]string
	var heard []string // the last news of each page
	e.quiet()
	for _, p := range e.pages {
		before = append(before, p.reads())
		heard = append(heard, p.ask("window.heard.slice(-30).join('\\n')"))
		if faults := p.ask("JSON.stringify(window.faults ?? [])"); faults != "[]" {
			e.t.Errorf("evening %d, %s: %s", e.n, p.name, faults)
		}
	}
	for _, p := range e.pages {
		at := p.ask(`(() => {
			const at = new URLSearchParams(), of = (selector) => document.querySelector(selector)
			const set = (name, value) => { if (value) at.set(name, value) }
			set('_c', of('#sheet [data-sheet]')?.dataset.sheet ?? of('#sheet [data-sheet-form]')?.dataset.sheetForm)
			set('_a', of('#composer-form [name=_a]')?.value)
			set('_m', of('#composer-form [name=_m]')?.value)
			set('_call', of('#composer-form [name=_call]')?.value)
			set('_tab', of('.table').dataset.tab)
			if (of('#sheet form[data-form=sheet]')) at.set('_edit', '1')
			return '/t/' + location.pathname.split('/')[2] + '?' + at
		})()`)
		p.visit(e.url(at))
	}
	same := true
	e.quiet()
	for i, p := range e.pages {
		fresh := p.reads()
		if len(differ(before[i], fresh)) > 0 {
			e.t.Logf("%s heard %s", p.name, heard[i])
		}
		for _, part := range differ(before[i], fresh) {
			same = false
			e.t.Errorf("evening %d (%s), round %d: %s shows of %s\n%s\nwhere a new page shows\n%s", e.n, e.game, round,
				p.name, part, lines(before[i][part], fresh[part], "-"), lines(fresh[part], before[i][part], "+"))
		}
	}
	if !same {
		e.t.Logf("evening %d, what was done: %s", e.n, strings.Join(e.done, ", "))
	}
	return same
}

// lines returns the lines of a text that another one lacks, with their context.
func lines(text, other, mark string) string {
	all, known := strings.Split(text, "\n"), map[string]int{}
	for _, line := range strings.Split(other, "\n") {
		known[line]++
	}
	var told []string
	for _, line := range all {
		if known[line]--; known[line] < 0 {
			told = append(told, mark+" "+line)
		}
		if len(told) == 24 {
			break
		}
	}
	return strings.Join(told, "\n")
}
