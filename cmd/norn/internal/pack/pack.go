// Package pack reads a compendium of Foundry as it is on disk: since version 11 a folder with a LevelDB,
// or a folder of JSON files as Foundry's own tool writes them.
//
// In a LevelDB each document has a key such as "!items!ID", and what is inside of an actor has keys of its
// own, such as "!actors.items!ACTOR.ITEM", while the actor only names their ids. Read from packs that
// Foundry 13 and 14 wrote.
package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// maxPack bounds the bytes of a pack's files.
const maxPack = 256 << 20

// Errors of reading.
var (
	ErrNone    = errors.New("pack: the folder has no documents")
	ErrLarge   = errors.New("pack: the folder is too large")
	ErrDamaged = errors.New("pack: the database is damaged")
)

// Read returns the documents of a pack as a list in JSON, with what is inside of them. Nothing is written
// into its folder: a copy is opened.
func Read(folder string) ([]byte, error) {
	documents, err := readDocuments(folder)
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, ErrNone
	}
	var b bytes.Buffer
	b.WriteByte('[')
	b.Write(bytes.Join(documents, []byte(",\n")))
	b.WriteByte(']')
	return b.Bytes(), nil
}

func readDocuments(folder string) ([][]byte, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(files, func(f os.DirEntry) bool { return f.Name() == "CURRENT" }) {
		return readFiles(folder, files)
	}
	copied, err := os.MkdirTemp("", "norn-pack-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(copied)
	if err := copyFiles(folder, copied, files); err != nil {
		return nil, err
	}
	db, err := leveldb.OpenFile(copied, &opt.Options{ErrorIfMissing: true, Strict: opt.StrictAll})
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	defer db.Close()
	return readDatabase(db)
}

// readFiles returns the documents of JSON files.
func readFiles(folder string, files []os.DirEntry) (documents [][]byte, err error) {
	left := int64(maxPack)
	for _, f := range files {
		if !f.Type().IsRegular() || !strings.HasSuffix(f.Name(), ".json") {
			continue
		}
		text, err := readBounded(filepath.Join(folder, f.Name()), &left)
		if err != nil {
			return nil, err
		}
		if json.Valid(text) {
			documents = append(documents, bytes.TrimSpace(text))
		}
	}
	return documents, nil
}

func readBounded(path string, left *int64) ([]byte, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	text, err := io.ReadAll(io.LimitReader(from, *left+1))
	if *left -= int64(len(text)); *left < 0 {
		return nil, ErrLarge
	}
	return text, err
}

// copyFiles copies the files of a database. What isn't a file isn't one of its parts.
func copyFiles(from, to string, files []os.DirEntry) error {
	left := int64(maxPack)
	for _, f := range files {
		if !f.Type().IsRegular() || f.Name() == "LOCK" {
			continue
		}
		data, err := readBounded(filepath.Join(from, f.Name()), &left)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDatabase returns the documents of a database, each with what is inside of it.
func readDatabase(db *leveldb.DB) ([][]byte, error) {
	inside := map[string]json.RawMessage{} // items by "actors!ACTOR.ITEM"
	var keys []string
	whole := map[string]map[string]json.RawMessage{}
	all := db.NewIterator(nil, nil)
	defer all.Release()
	for all.Next() {
		_, key, _ := strings.Cut(string(all.Key()), "!")
		level, id, ok := strings.Cut(key, "!")
		value := slices.Clone(all.Value())
		if !ok || !json.Valid(value) {
			continue
		}
		if outer, inner, nested := strings.Cut(level, "."); nested {
			if inner == "items" {
				inside[outer+"!"+id] = value
			}
			continue
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) == nil && members != nil {
			members["_key"], _ = json.Marshal("!" + key) // a text always encodes
			keys, whole[key] = append(keys, key), members
		}
	}
	if err := all.Error(); err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	documents := make([][]byte, 0, len(keys))
	for _, key := range keys {
		members := whole[key]
		var ids []string
		if json.Unmarshal(members["items"], &ids) == nil {
			items := []json.RawMessage{}
			for _, id := range ids {
				if item, there := inside[key+"."+id]; there {
					items = append(items, item)
				}
			}
			members["items"], _ = json.Marshal(items) // they were JSON
		}
		document, err := json.Marshal(members)
		if err != nil {
			return nil, errors.Join(ErrDamaged, err)
		}
		documents = append(documents, document)
	}
	return documents, nil
}
