// What of a page can't be read or found at this size: texts over each other, texts cut off, a main
// button out of view, a box that goes on below and doesn't show it. One problem a line.
(() => {
	for (const a of document.getAnimations()) a.finish()
	const found = new Set()
	const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.classList].map((c) => '.' + c).join('')
	const at = (b) => `at ${Math.round(b.left)},${Math.round(b.top)} to ${Math.round(b.right)},${Math.round(b.bottom)}`
	const said = (t) => `“${t.text.slice(0, 40)}” in ${name(t.e)} ${at(t)}`
	const clear = (colour) => /transparent|, 0\)|\/ 0\)/.test(colour)

	// above are the elements at a point, down to the first that hides what is below it.
	const above = (x, y) => {
		const all = document.elementsFromPoint(x, y)
		const ground = all.findIndex((e) => !clear(getComputedStyle(e).backgroundColor))
		return ground < 0 ? all : all.slice(0, ground + 1)
	}
	const texts = () => {
		const all = [], range = document.createRange()
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
		for (let node; (node = walk.nextNode());) {
			const e = node.parentElement
			if (!node.data.trim()) continue
			range.selectNodeContents(node)
			const around = range.getBoundingClientRect()
			if (around.width === 0 || around.bottom < 0 || around.top > innerHeight || e.closest('svg, option, .sr-only') || !e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true, opacityProperty: true})) continue
			const room = {left: 0, top: 0, right: innerWidth, bottom: innerHeight}
			let by = null, shortened = false, scrolled = false
			for (let p = e; p && p !== document.body; p = p.parentElement) {
				const style = getComputedStyle(p)
				if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') {
					shortened = true
					if (p.clientWidth > 1 && p.clientWidth < 24 && around.width > p.clientWidth + 1 && getComputedStyle(p).display !== 'inline') found.add(`no room for “${node.data.trim().slice(0, 40)}” in ${name(p)} ${at(p.getBoundingClientRect())}`)
				}
				if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
					const clip = p.getBoundingClientRect()
					const scrolls = p.scrollWidth > p.clientWidth + 1 && /auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY)
					scrolled ||= scrolls
					if (!scrolled && !shortened && clip.width > 1) by ||= p
					for (const side of ['left', 'top']) room[side] = Math.max(room[side], clip[side])
					for (const side of ['right', 'bottom']) room[side] = Math.min(room[side], clip[side])
				}
				if (style.position === 'fixed') break
			}
			for (const box of range.getClientRects()) {
				if (by) {
					const clip = by.getBoundingClientRect()
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
		if (button && !document.querySelector('.drawer:is(:target, :has(:target))') && !inView(button)) found.add(`the main button isn’t in view: “${button.innerText.trim()}” in ${name(button.parentElement)} ${at(button.getBoundingClientRect())}`)
	}
	// fades tells whether a box, or what stays at its lower edge, ends in a gradient.
	const fades = (box) => [box, ...box.querySelectorAll('*')].some((e) => [null, '::before', '::after'].some((part) => {
		const style = getComputedStyle(e, part)
		if (part && style.content === 'none' || !/gradient/.test(style.maskImage + style.backgroundImage)) return false
		return e === box || [style, getComputedStyle(e)].some(({position}) => position === 'sticky')
	}))
	const boxes = [...document.querySelectorAll('*')].filter((e) => e !== document.documentElement && e !== document.body &&
		/auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 8 && e.clientHeight > 40 && shown(e) && !e.matches('textarea, select'))
	for (const box of boxes) {
		if (!fades(box)) found.add(`${name(box)} shows ${box.clientHeight} of ${box.scrollHeight} px and not that it goes on`)
	}
	if (document.documentElement.scrollWidth > innerWidth) found.add(`the page scrolls sideways, to ${document.documentElement.scrollWidth} px`)
	for (const e of document.querySelectorAll('.panel, .log-box, .line-form, .composer, .drawer, .screen-parts')) {
		if (shown(e) && getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) found.add(`${name(e)} scrolls sideways: ${e.scrollWidth} of ${e.clientWidth} px`)
	}
	for (const share of [0, 0.5, 1]) {
		for (const box of boxes) {
			const room = box.scrollHeight - box.clientHeight
			box.scrollTop = getComputedStyle(box).flexDirection === 'column-reverse' ? (share - 1) * room : share * room
		}
		overlap()
		main()
	}
	for (const box of boxes) box.scrollTop = 0
	return [...found].join('\n')
})()
