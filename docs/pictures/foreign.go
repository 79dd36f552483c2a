package main

import "fmt"

// foreignNames holds the words of an invented hero's file by language: the hero and a piece of gear.
var foreignNames = map[string][2]string{
	"en": {"Ilm Vey", "Quick eye"},
	"ru": {"Ильм Вей", "Быстрый глаз"},
	"uk": {"Ільм Вей", "Швидке око"},
}

// foreignFile is the file of that hero, as Foundry exports it.
const foreignFile = `{
	name: %q, type: "character", prototypeToken: {}, _stats: { systemVersion: "1.3.2" },
	system: {
		aptitudes: { cog: 15, int: 20, ref: 10, sav: 15, som: 20, wil: 10 },
		skills: { fray: { points: 20 }, perceive: { points: 30 }, guns: { points: 35 }, infosec: { points: 25 },
			athletics: { points: 15 }, deceive: { points: 10 }, freeFall: { points: 20 }, infiltrate: { points: 20 },
			interface: { points: 15 }, kinesics: { points: 10 }, melee: { points: 20 }, persuade: { points: 25 },
			program: { points: 10 }, provoke: { points: 10 }, research: { points: 15 }, survival: { points: 20 } },
		spentPools: { insight: 1, vigor: 2 }, flex: 1,
	},
	flags: { ep2e: { synthetic: { system: { pools: { insight: 2, moxie: 1, vigor: 3 } } } } },
	items: [{ type: "physicalTech", name: %q, system: { state: { equipped: true }, description: "<p>…</p>",
		passiveEffects: [{ type: "pool", pool: "insight", modifier: 2 }] } }],
}`

// foreignHero returns the picture of a hero from another program before anybody takes it.
func foreignHero(lang string) picture {
	names := foreignNames[lang]
	give := `const given = new DataTransfer(), input = document.querySelector('#hero-file')
		given.items.add(new File([JSON.stringify(` + fmt.Sprintf(foreignFile, names[0], names[1]) + `)], 'hero.json'))
		input.files = given.files
		document.querySelector('#from-file button.primary').click()`
	return picture{
		name: "foreign-" + lang, lang: lang, theme: "light", width: 900, height: 860,
		moment: &moment{game: "eclipse", steps: []step{
			{sit, "[data-form=ready]"},
			{give, "#look"},
			{`document.querySelector('#look-derived').open = true`, "#look-derived[open] dl"},
		}},
	}
}
