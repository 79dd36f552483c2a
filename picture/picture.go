// Package picture is what norn takes for a picture, and what it makes of one.
//
// Promised: what is too large is refused before a pixel of it is decoded.
package picture

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
)

// Media types of kept pictures.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
)

// MaxSide is how many pixels a kept picture may be wide and high.
const MaxSide = 1600

// Errors of Size.
var (
	ErrUnreadable = errors.New("picture: it's no picture of that type")
	ErrTooLarge   = errors.New("picture: it has too many pixels")
)

// Size is how large a kept picture is, by what stands at its beginning.
func Size(media string, data []byte) (width, height int, err error) {
	var c image.Config
	switch media {
	case JPEG:
		c, err = jpeg.DecodeConfig(bytes.NewReader(data))
	case PNG:
		c, err = png.DecodeConfig(bytes.NewReader(data))
	default:
		err = ErrUnreadable
	}
	switch {
	case err != nil || c.Width < 1 || c.Height < 1:
		return 0, 0, ErrUnreadable
	case c.Width > MaxSide || c.Height > MaxSide:
		return 0, 0, ErrTooLarge
	}
	return c.Width, c.Height, nil
}
