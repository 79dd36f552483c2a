package cli

import (
	"embed"
	"io/fs"

	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/chat/telegram"
	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/widget"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/web"
	"norn/web/api"
)

// Words holds the commands' own texts, by language.
//
//go:embed words/*.toml
var Words embed.FS

// Wired holds what every call needs: the games that norn plays, and the words of all packages.
type Wired struct {
	Games   []*game.Game
	Library game.Library // the same games, as folders appear and disappear
	Words   *lang.Words
}

// Wire combines norn with its games and loads the words of all languages. It fails if the words
// have mistakes.
func Wire(games []*game.Game) (Wired, error) {
	words, err := lang.Load(wordFolders(games)...)
	return Wired{games, game.Fixed(games), words}, err
}

// Open is like Wire but loads a language's words only when they are first used: a command that
// prints one line needn't load three languages. Mistakes in words stop it then; a test calls Wire
// with the same games.
func Open(games []*game.Game) Wired {
	return Wired{games, game.Fixed(games), lang.Open(wordFolders(games)...)}
}

func wordFolders(games []*game.Game) []fs.FS {
	all := []fs.FS{
		Words, form.Words, foreign.Words, widget.Words, bare.Words, table.Words, chat.Words, bridge.Words, discord.Words,
		telegram.Words, web.Words, api.Words, script.Words,
	}
	for _, g := range games {
		all = append(all, g.Words)
	}
	return all
}
