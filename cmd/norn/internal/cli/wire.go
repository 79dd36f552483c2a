package cli

import (
	"embed"
	"io/fs"

	"norn/bare"
	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/chat/telegram"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/web"
	"norn/web/api"
	"norn/widget"
)

// Words are the command's own texts, by language.
//
//go:embed words/*.toml
var Words embed.FS

// Wired is what every call has: the games that norn plays, and the words of all who speak here.
type Wired struct {
	Games   []*game.Game
	Library game.Library // the same, as they come and go
	Words   *lang.Words
}

// Wire puts norn together with its games, and reads the words of all languages. The error is what is wrong with them.
func Wire(games []*game.Game) (Wired, error) {
	words, err := lang.Load(wordFolders(games)...)
	return Wired{games, game.Fixed(games), words}, err
}

// Open does what Wire does, but reads a language's words when it's first spoken: a command that says one line needn't
// read three languages. What Wire refuses stops it then; a test wires the same games.
func Open(games []*game.Game) Wired {
	return Wired{games, game.Fixed(games), lang.Open(wordFolders(games)...)}
}

func wordFolders(games []*game.Game) []fs.FS {
	all := []fs.FS{
		Words, form.Words, widget.Words, bare.Words, table.Words, chat.Words, bridge.Words, discord.Words,
		telegram.Words, web.Words, api.Words, script.Words,
	}
	for _, g := range games {
		all = append(all, g.Words)
	}
	return all
}
