// Package guide is the guide to norn, in three languages: a folder each of Markdown, which norn
// shows on its pages, too.
package guide

import "embed"

// Pages are the guide's, "en/index.md".
//
//go:embed en/*.md ru/*.md uk/*.md
var Pages embed.FS
