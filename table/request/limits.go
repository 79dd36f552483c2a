package request

// MaxCalls limits the open calls of a table.
const MaxCalls = 50

// MostEntries limits the entries that Log and Last return at once.
const MostEntries = 1000

// MaxSearched limits the entries that a search goes through. It returns what it has found among
// them and how far it has looked.
const MaxSearched = 2000

// Limits of notes.
const (
	MaxNotes = 200
	MaxNote  = 10000 // characters of one
)

// Limits of what game masters keep at a table.
const (
	MaxClocks = 30
	MaxScenes = 100 // that are prepared
	MaxLists  = 50
)

// Limits of a table.
const (
	MaxSeats      = 100
	MaxCharacters = 200
	MaxSheet      = 128 << 10 // bytes of one in JSON: each change stores the whole sheet
	// bytes of a character's file, with a portrait in Base64
	MaxCharacterFile = 1 << 20
	// bytes of all together. Only growing a large sheet is refused: each page of the table shows
	// all of them.
	MaxSheets = 2 << 20
)

// Limits of attachments.
const (
	MaxAttachment     = 512 << 10 // bytes of one
	MaxListRows       = 720 << 10 // bytes of the rows of one list, as they're kept, which may be packed
	MaxAttachments    = 300       // of a table
	MaxAttached       = 32 << 20  // bytes of all together
	MaxOwnAttachments = 30        // of one player
	MaxOwnAttached    = 8 << 20
)

// MaxShare limits the characters of a share.
const MaxShare = 64

// MaxTalk limits the characters of one message.
const MaxTalk = 2000
