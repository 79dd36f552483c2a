// What of a page can't be read or found at this size: texts over each other, texts cut off, a main
// button out of view, a box that goes on below and doesn't show it. One problem a line. It looks at what
// is in the element that a selector finds.
(selector) => {
	const part = document.querySelector(selector)
	for (const a of document.getAnimations()) a.finish()
	const found = new Set()
	const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.classList].map((c) => '.' + c).join('')
	const at = (b) => `at ${Math.round(b.left)},${Math.round(b.top)} to ${Math.round(b.right)},${Math.round(b.bottom)}`
	const said = (t) => `“${t.text.slice(0, 40)}” in ${name(t.e)} ${at(t)}`
	const clear = (colour) => /transparent|, 0\)|\/ 0\)/.test(colour)

	// styled is what matters of an element's style, and clip its box, each read once: the box as long as nothing scrolls.
	const styles = new Map(), clips = new Map()
	const once = (kept, e, read) => kept.get(e) ?? kept.set(e, read(e)).get(e)
	const styled = (e) => once(styles, e, () => {
		const {overflowX, overflowY, position, top, textOverflow, webkitLineClamp, display, backgroundColor} = getComputedStyle(e)
		return {overflowX, overflowY, position, top, display, shortens: textOverflow === 'ellipsis' || webkitLineClamp !== 'none', hides: !clear(backgroundColor)}
	})
	const clipOf = (e) => once(clips, e, () => e.getBoundingClientRect())

	// above are the elements at a point, down to the first that hides what is below it.
	const above = (x, y) => {
		const all = document.elementsFromPoint(x, y)
		const ground = all.findIndex((e) => styled(e).hides)
		return ground < 0 ? all : all.slice(0, ground + 1)
	}
	const texts = () => {
		const all = [], range = document.createRange()
		const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
		for (let node; (node = walk.nextNode());) {
			const e = node.parentElement
			if (!node.data.trim()) continue
			range.selectNodeContents(node)
			const around = range.getBoundingClientRect()
			if (around.width === 0 || around.bottom < 0 || around.top > innerHeight || e.closest('svg, option, .sr-only') || !e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true, opacityProperty: true})) continue
			const room = {left: 0, top: 0, right: innerWidth, bottom: innerHeight}
			let by = null, stuck = null, port = null, shortened = false, scrolled = false
			for (let p = e; p && p !== document.body; p = p.parentElement) {
				const style = styled(p)
				if (style.shortens) {
					shortened = true
					if (p.clientWidth > 1 && p.clientWidth < 24 && around.width > p.clientWidth + 1 && style.display !== 'inline') found.add(`no room for “${node.data.trim().slice(0, 40)}” in ${name(p)} ${at(p.getBoundingClientRect())}`)
				}
				if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
					const clip = clipOf(p)
					const scrolls = p.scrollWidth > p.clientWidth + 1 && /auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)
					scrolled ||= scrolls
					if (stuck && scrolls) port ??= clip
					if (!scrolled && !shortened && clip.width > 1) by ||= p
					for (const side of ['left', 'top']) room[side] = Math.max(room[side], clip[side])
					for (const side of ['right', 'bottom']) room[side] = Math.min(room[side], clip[side])
				}
				if (style.position === 'sticky' && style.top !== 'auto') stuck ??= p
				if (style.position === 'fixed') break
			}
			const line = range.getClientRects()[0]
			if (port && line.top + line.height * 0.25 < port.top - 1 && stuck.parentElement.getBoundingClientRect().bottom > port.top + stuck.offsetHeight) found.add(`cut at the top: “${node.data.trim().slice(0, 40)}” in ${name(stuck)} ${at(line)}`)
			for (const box of range.getClientRects()) {
				if (by) {
					const clip = clipOf(by)
					if (box.left < clip.left - 1.5 || box.right > clip.right + 1.5 || box.bottom > clip.bottom + 4) found.add(`cut by ${name(by)}: “${node.data.trim().slice(0, 40)}” in ${name(e)} ${at(box)}`)
				}
				const slack = box.height * 0.25 // above and below the letters
				const seen = {
					node, e, text: node.data.trim(), left: Math.max(box.left, room.left), right: Math.min(box.right, room.right),
					top: Math.max(box.top + slack, room.top), bottom: Math.min(box.bottom - slack, room.bottom),
				}
				if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) all.push(seen)
			}
		}
		return all
	}
	const overlap = () => {
		const all = texts().sort((a, b) => a.top - b.top)
		for (const [i, a] of all.entries()) {
			for (let j = i + 1; j < all.length && all[j].top < a.bottom; j++) {
				const b = all[j]
				const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)], [top, bottom] = [b.top, Math.min(a.bottom, b.bottom)]
				if (a.node === b.node || right - left < 2 || bottom - top < 2) continue
				const here = above((left + right) / 2, (top + bottom) / 2)
				if (here.includes(a.e) && here.includes(b.e)) found.add(`${said(a)} is over ${said(b)}`)
			}
		}
	}
	const inView = (e) => {
		const box = e.getBoundingClientRect()
		const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
		return box.top >= 0 && box.bottom <= innerHeight + 1 && top !== null && (e.contains(top) || top.contains(e))
	}
	const shown = (e) => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().right > 0
	const main = () => {
		const open = ['#composer:target', '#sheet .sheet-form', '#composer'].map((s) => document.querySelector(s)).find((e) => e && shown(e) && e.querySelector('.actions .primary') && shown(e.querySelector('.actions .primary')))
		const button = open?.querySelector('.actions .primary') ?? [...document.querySelectorAll('.compose-open, .hero-first, .sheet-move')].find(shown)
		if (button && !inView(button)) found.add(`the main button isn’t in view: “${button.innerText.trim()}” in ${name(button.parentElement)} ${at(button.getBoundingClientRect())}`)
	}
	// answered looks for the button of a question that is being read: at least its first lines and its button have room.
	const answered = () => {
		for (const question of document.querySelectorAll('.question[data-mine]')) {
			const button = question.querySelector('.actions .primary'), here = question.getBoundingClientRect()
			const box = question.closest('.log-box')?.getBoundingClientRect() ?? {top: 0, bottom: innerHeight}
			if (!button || !shown(question) || Math.min(here.bottom, box.bottom) - Math.max(here.top, box.top) < Math.min(here.height, 0.8 * (box.bottom - box.top))) continue
			if (!inView(button)) found.add(`“${button.innerText.trim()}” isn’t in view in ${name(question)} ${at(here)}`)
		}
	}
	// fades reports whether a box, or what stays at its lower edge, ends in a gradient.
	const fades = (box) => [box, ...box.querySelectorAll('*')].some((e) => [null, '::before', '::after'].some((part) => {
		const style = getComputedStyle(e, part)
		if (part && style.content === 'none' || !/gradient/.test(style.maskImage + style.backgroundImage)) return false
		return e === box || [style, styled(e)].some(({position}) => position === 'sticky')
	}))
	const boxes = [part, ...part.querySelectorAll('*')].filter((e) => e !== document.body && e.checkVisibility() &&
		/auto|scroll/.test(styled(e).overflowY) && e.scrollHeight > e.clientHeight + 8 && e.clientHeight > 40 && shown(e) && !e.matches('textarea, select'))
	for (const box of boxes) {
		if (!fades(box)) found.add(`${name(box)} shows ${box.clientHeight} of ${box.scrollHeight} px and not that it goes on`)
	}
	if (document.documentElement.scrollWidth > innerWidth) found.add(`the page scrolls sideways, to ${document.documentElement.scrollWidth} px`)
	for (const e of document.querySelectorAll('.panel, .log-box, .line-form, .composer, .drawer, .screen-parts')) {
		if (shown(e) && styled(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) found.add(`${name(e)} scrolls sideways: ${e.scrollWidth} of ${e.clientWidth} px`)
	}
	for (const share of boxes.length > 0 ? [0, 0.5, 1] : [0]) {
		clips.clear()
		for (const box of boxes) {
			const room = box.scrollHeight - box.clientHeight
			box.scrollTop = getComputedStyle(box).flexDirection === 'column-reverse' ? (share - 1) * room : share * room
		}
		overlap()
		const low = innerHeight < 300 // as at 400 %: nothing sticks, the button comes by scrolling
		if (!low && !document.querySelector('.drawer:is(:target, :has(:target))')) [main, answered].forEach((look) => look())
	}
	for (const box of boxes) box.scrollTop = 0
	return [...found].join('\n')
}
