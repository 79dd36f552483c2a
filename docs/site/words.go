package main

import "norn/lang"

// saying holds the texts of the site's frame in a language.
type saying struct {
	name, guide, odds, rules, news, operate, licences, skip, pages string
}

var spoken = map[lang.Lang]saying{
	lang.En: {
		name: "English", guide: "Guide", odds: "Odds", rules: "the rules", news: "What’s new", operate: "Running it",
		licences: "Licences",
		skip:     "Skip to the text", pages: "Pages",
	},
	lang.Ru: {
		name: "Русский", guide: "Руководство", odds: "Шансы", rules: "правила", news: "Что нового",
		operate: "Свой сервер", licences: "Лицензии",
		skip: "К тексту", pages: "Страницы",
	},
	lang.Uk: {
		name: "Українська", guide: "Посібник", odds: "Шанси", rules: "правила", news: "Що нового",
		operate: "Свій сервер", licences: "Ліцензії",
		skip: "До тексту", pages: "Сторінки",
	},
}
