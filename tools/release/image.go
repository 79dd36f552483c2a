package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const (
	imageUser = 65532 // the user that runs norn, who doesn't exist on the machine
	imageData = "/data"

	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	indexType    = "application/vnd.oci.image.index.v1+json"
)

// descriptor identifies a blob of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// image packs a container image that docker load, podman load and skopeo accept: an OCI layout with
// the manifest list that older versions of Docker need. It contains norn, its licences and root
// certificates, runs as its own user and stores tables in /data.
func (r *release) image(arch string, program, licences, bill []byte) ([]byte, error) {
	layer, err := r.layer(program, licences, bill)
	if err != nil {
		return nil, err
	}
	packed, err := gzipData(layer)
	if err != nil {
		return nil, err
	}
	config, err := r.imageConfig(arch, layer)
	if err != nil {
		return nil, err
	}
	blobs := map[string][]byte{}
	add := func(kind string, data []byte) descriptor {
		digest := fmt.Sprintf("%x", sha256.Sum256(data))
		blobs["blobs/sha256/"+digest] = data
		return descriptor{MediaType: kind, Digest: "sha256:" + digest, Size: len(data)}
	}
	of, is := add(layerType, packed), add(configType, config)
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "config": is,
		"layers": []descriptor{of},
	})
	if err != nil {
		return nil, err
	}
	whole := add(manifestType, manifest)
	whole.Platform = map[string]string{"os": "linux", "architecture": arch}
	named := func(tag string) descriptor {
		d := whole
		d.Annotations = map[string]string{
			"io.containerd.image.name":          "docker.io/library/norn:" + tag,
			"org.opencontainers.image.ref.name": tag,
		}
		return d
	}
	index, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": indexType,
		"manifests": []descriptor{named(r.version), named("latest")},
	})
	if err != nil {
		return nil, err
	}
	blob := func(d descriptor) string { return "blobs/sha256/" + d.Digest[len("sha256:"):] }
	docker, err := json.Marshal([]map[string]any{{
		"Config":   blob(is),
		"RepoTags": []string{"norn:" + r.version, "norn:latest"}, "Layers": []string{blob(of)},
	}})
	if err != nil {
		return nil, err
	}
	files := []file{
		{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{"index.json", 0o644, index},
		{"manifest.json", 0o644, docker},
		{blob(is), 0o644, config},
		{blob(whole), 0o644, manifest},
		{blob(of), 0o644, packed},
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		err = errors.Join(err, tarFile(w, f, 0, r.at))
	}
	err = errors.Join(err, w.Close()) // before the bytes are used
	return out.Bytes(), err
}

// imageConfig returns the part of the image's configuration that describes how to run it.
func (r *release) imageConfig(arch string, layer []byte) ([]byte, error) {
	at := r.at.Format(time.RFC3339)
	return json.Marshal(map[string]any{
		"created": at, "architecture": arch, "os": "linux",
		"config": map[string]any{
			"User":         fmt.Sprintf("%d:%d", imageUser, imageUser),
			"ExposedPorts": map[string]any{"8080/tcp": map[string]any{}},
			"Env": []string{
				"PATH=/usr/local/bin", "HOME=" + imageData, "NORN_LISTEN=0.0.0.0:8080",
				"NORN_DATA=" + imageData,
			},
			"Entrypoint": []string{"/usr/local/bin/norn"},
			"Cmd":        []string{"serve"},
			"Volumes":    map[string]any{imageData: map[string]any{}},
			"WorkingDir": imageData,
			"StopSignal": "SIGTERM",
			"Labels": map[string]string{
				"org.opencontainers.image.title": "norn", "org.opencontainers.image.version": r.version,
				"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.licenses": "Apache-2.0",
				"org.opencontainers.image.description":   description,
				"org.opencontainers.image.documentation": "/usr/share/doc/norn",
			},
			"Healthcheck": map[string]any{
				"Test": []string{"CMD", "/usr/local/bin/norn", "ready"}, "Interval": 30 * time.Second,
				"Timeout":     10 * time.Second,
				"StartPeriod": 20 * time.Second, "Retries": 3,
			},
		},
		"rootfs": map[string]any{
			"type":     "layers",
			"diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))},
		},
		"history": []map[string]any{{"created": at, "created_by": "norn's release"}},
	})
}

// layer returns the image's file system.
func (r *release) layer(program, licences, bill []byte) ([]byte, error) {
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file of root certificates can't restrict which names they may sign
		}
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	user := fmt.Sprint(imageUser)
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	var err error
	for _, f := range []struct {
		file
		owner int
	}{
		{file{"data/", fs.ModeDir | 0o700, nil}, imageUser},
		{
			file{"etc/passwd", 0o644, []byte("root:x:0:0::/:\nnorn:x:" + user + ":" + user + "::" + imageData + ":\n")},
			0,
		},
		{file{"etc/group", 0o644, []byte("root:x:0:\nnorn:x:" + user + ":\n")}, 0},
		{file{"etc/ssl/certs/ca-certificates.crt", 0o644, roots.Bytes()}, 0},
		{file{"tmp/", fs.ModeDir | fs.ModeSticky | 0o777, nil}, 0},
		{file{"usr/local/bin/norn", 0o755, program}, 0},
		{file{"usr/share/doc/norn/NOTICES.txt", 0o644, licences}, 0},
		{file{"usr/share/doc/norn/norn.spdx.json", 0o644, bill}, 0},
	} {
		err = errors.Join(err, tarFile(w, f.file, f.owner, r.at))
	}
	err = errors.Join(err, w.Close()) // before the bytes are used
	return out.Bytes(), err
}

// tarFile adds a file or folder to an archive.
func tarFile(w *tar.Writer, f file, owner int, at time.Time) error {
	kind, mode := byte(tar.TypeReg), int64(f.mode.Perm())
	if f.mode.IsDir() {
		kind = tar.TypeDir
	}
	if f.mode&fs.ModeSticky != 0 {
		mode |= 0o1000
	}
	err := w.WriteHeader(&tar.Header{
		Typeflag: kind, Name: f.path, Size: int64(len(f.data)), Mode: mode, Uid: owner,
		Gid: owner, ModTime: at, Format: tar.FormatPAX,
	})
	_, wrong := w.Write(f.data)
	return errors.Join(err, wrong)
}
