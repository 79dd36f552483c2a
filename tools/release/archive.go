package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"time"
)

// packTar packs files into a folder of an archive. Owner, order and time are always the same.
func packTar(folder string, files []file, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range files {
		err = errors.Join(err, w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: folder + "/" + f.path, Size: int64(len(f.data)), Mode: int64(f.mode),
			ModTime: at,
			Uname:   "root", Gname: "root", Format: tar.FormatUSTAR,
		}))
		_, wrong := w.Write(f.data)
		err = errors.Join(err, wrong)
	}
	err = errors.Join(err, w.Close(), z.Close()) // before the bytes are used
	return packed.Bytes(), err
}

func packZip(folder string, files []file, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range files {
		header := &zip.FileHeader{Name: folder + "/" + f.path, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		to, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close() // before the bytes are used
	return packed.Bytes(), err
}
