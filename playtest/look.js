// What somebody sees of a page: roles, names, sizes, colours, places. Nothing here reads an id, a class or an address.
(() => {
	const rgba = (text) => { // of a colour in whatever notation
		const c = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d', {willReadFrequently: true})
		c.fillStyle = text
		c.fillRect(0, 0, 1, 1)
		return [...c.getImageData(0, 0, 1, 1).data]
	}
	const colours = new Map()
	const colour = (text) => {
		if (!colours.has(text)) colours.set(text, rgba(text))
		return colours.get(text)
	}
	const light = (c) => {
		const [r, g, b] = c.slice(0, 3).map((v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)
		return 0.2126 * r + 0.7152 * g + 0.0722 * b
	}
	// behind is the colour of an element's ground: its own, or that of what it is on.
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const c = colour(getComputedStyle(e).backgroundColor)
			if (c[3] > 128) return c
		}
		return [255, 255, 255, 255]
	}
	const filled = (e) => {
		const own = colour(getComputedStyle(e).backgroundColor)
		if (own[3] < 128 || !e.parentElement) return false
		const [a, b] = [light(own), light(behind(e.parentElement))]
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) > 1.8
	}
	const roles = {A: 'link', BUTTON: 'button', SUMMARY: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', INPUT: 'textbox'}
	const role = (e) => e.getAttribute('role') ?? (choice(e) ? e.type : roles[e.tagName])
	// name is what a screen reader would say, and others read there.
	const name = (e) => {
		const by = e.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ')
		const labels = [...(e.labels ?? [])].map((l) => l.textContent).join(' ')
		return (by || e.getAttribute('aria-label') || labels || text(e) || e.title || e.placeholder || '').replace(/\s+/g, ' ').trim()
	}
	const text = (e) => (e?.innerText ?? '').replace(/\s+/g, ' ').trim()
	const choice = (e) => e.matches('input[type=radio], input[type=checkbox]')
	// shown is where an element is seen: its box within the window and all that clips it, if its middle isn't covered.
	const shown = (e) => {
		if (!e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true, opacityProperty: true})) return null
		const box = e.getClientRects()[0] ?? e.getBoundingClientRect()
		if (box.width < 4 || box.height < 4 || box.bottom < 0 || box.top > innerHeight) return null
		const x = box.x + box.width / 2, y = box.y + box.height / 2
		const top = document.elementFromPoint(x, y)
		if (!top || !(e.contains(top) || top.contains(e))) return null
		return {x, y, w: box.width, h: box.height}
	}
	const controls = []
	for (const e of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=option]')) {
		const chosen = choice(e)
		const at = shown(chosen ? e.closest('label') ?? e : e)
		if (!at) continue
		const field = e.matches('input, select, textarea')
		const group = chosen && e.type === 'radio' ? [...(e.form ?? document).querySelectorAll('input[type=radio]')].filter((o) => o.name === e.name) : [e]
		const item = e.closest('li')
		const landmark = e.closest('aside, nav, section[aria-label], [role=region]')
		controls.push({
			...at, role: role(e), name: name(e),
			filled: !field && filled(e), disabled: e.matches(':disabled, [aria-disabled=true]'), pressed: !!e.checked || e.getAttribute('aria-current') !== null || e.getAttribute('aria-pressed') === 'true',
			field: field ? (chosen ? e.type : e.tagName === 'SELECT' ? 'select' : 'text') : '',
			kind: e.type ?? '', value: e.matches('[readonly]') || field && !chosen ? e.value : '', readonly: !!e.readOnly,
			needed: e.matches('[required], [aria-required=true]') || group.some((o) => o.required),
			empty: chosen ? !group.some((o) => o.checked) : field && e.value === '',
			form: e.form ? [...document.forms].indexOf(e.form) : -1,
			within: landmark?.getAttribute('aria-label') ?? '', item: (item?.textContent ?? '').replace(/\s+/g, ' ').trim(),
			about: (() => { // the heading that it's under, in the least part of the page that has one
				for (let around = e.parentElement; around && around !== document.body; around = around.parentElement) {
					const head = around.querySelector('h1, h2, h3, [role=heading], strong')
					if (head && head !== e) return text(head)
				}
				return ''
			})(),
		})
	}
	const heads = [...document.querySelectorAll('h1, h2, h3, [role=heading]')].filter(shown).map(text)
	const said = []
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	const range = document.createRange()
	for (let t; (t = walk.nextNode());) {
		if (!t.data.trim()) continue
		range.selectNodeContents(t)
		const box = range.getBoundingClientRect()
		if (box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && shown(t.parentElement)) said.push(t.data.replace(/\s+/g, ' ').trim())
	}
	const log = document.querySelector('[role=log]')
	const dice = [...(log?.querySelectorAll('[role=img]') ?? [])]
	return JSON.stringify({
		controls, heads, thrown: dice.length, dice: dice.filter(shown).map((e) => e.getAttribute('aria-label')), said: said.join(' '),
		busy: document.readyState !== 'complete' || document.getAnimations().some((a) => a.playState === 'running' && a.effect.getComputedTiming().iterations !== Infinity), wide: innerWidth, high: innerHeight,
	})
})()
