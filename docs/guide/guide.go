// Package guide contains the guide to norn in three languages: a folder of Markdown for each, which
// norn also shows on its pages.
package guide

import "embed"

// Pages holds the guide's files, such as "en/index.md".
//
//go:embed en/*.md ru/*.md uk/*.md
var Pages embed.FS
