package script

import "io/fs"

// maxFile is the size of the largest file of a game's folder that is read, in bytes. Of pictures
// and other files that may lie there none is opened.
const maxFile = 1 << 20

// Regular returns a folder whose files can be opened only if they are regular and not too large: to
// open a pipe would wait for ever, and a device has no end. The error is a *Mistake.
func Regular(folder fs.FS) fs.FS { return regular{folder} }

type regular struct{ folder fs.FS }

// Open opens a file or folder.
func (r regular) Open(name string) (fs.File, error) {
	info, err := fs.Stat(r.folder, name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, wrong("irregular")
	case !info.IsDir() && info.Size() > maxFile:
		return nil, wrong("bytes", "Len", int(info.Size()), "Max", maxFile)
	}
	return r.folder.Open(name)
}
