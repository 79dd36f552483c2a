package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The parts of an SPDX document that norn's have; https://spdx.github.io/spdx-spec/v2.3/.
type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		DataLicense   string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Packages      []spdxPackage      `json:"packages"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		ID        string         `json:"SPDXID"`
		Name      string         `json:"name"`
		Version   string         `json:"versionInfo"`
		Download  string         `json:"downloadLocation"`
		Analyzed  bool           `json:"filesAnalyzed"`
		Concluded string         `json:"licenseConcluded"`
		Declared  string         `json:"licenseDeclared"`
		Copyright string         `json:"copyrightText"`
		Checksums []spdxChecksum `json:"checksums,omitempty"`
		Refs      []spdxRef      `json:"externalRefs"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxRef struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxRelationship struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

const noAssertion = "NOASSERTION" // the licences' texts are in NOTICES.txt

// billOfMaterials lists what a binary is built of as an SPDX document in JSON: Go and the modules
// that the binary names, and the packages of package-lock.json whose code or typefaces it contains.
func (r *release) billOfMaterials(t target, binary string) ([]byte, error) {
	built, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	doc := spdxDocument{
		Version: "SPDX-2.3", DataLicense: "CC0-1.0", ID: "SPDXRef-DOCUMENT",
		Name:      fmt.Sprintf("norn-%s-%s", r.version, t.name()),
		Namespace: fmt.Sprintf("urn:norn:%s:%s:%s", r.version, r.commit, t.name()),
		Creation:  spdxCreation{r.at.UTC().Format(time.RFC3339), []string{"Tool: norn-release-" + r.version}},
	}
	add := func(p spdxPackage, purl string) {
		p.ID = fmt.Sprintf("SPDXRef-Package-%d", len(doc.Packages))
		p.Download, p.Concluded, p.Copyright = noAssertion, noAssertion, noAssertion
		if p.Declared == "" {
			p.Declared = noAssertion
		}
		p.Refs = []spdxRef{{"PACKAGE-MANAGER", "purl", purl}}
		kind, from := "DEPENDS_ON", "SPDXRef-Package-0"
		if len(doc.Packages) == 0 {
			kind, from = "DESCRIBES", doc.ID
		}
		doc.Packages = append(doc.Packages, p)
		doc.Relationships = append(doc.Relationships, spdxRelationship{from, kind, p.ID})
	}
	add(spdxPackage{Name: "norn", Version: r.version, Declared: "Apache-2.0"}, "pkg:generic/norn@"+r.version)
	golang := strings.TrimPrefix(built.GoVersion, "go")
	add(spdxPackage{Name: "stdlib", Version: golang, Declared: "BSD-3-Clause"}, "pkg:golang/stdlib@"+golang)
	for _, m := range built.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		add(spdxPackage{Name: m.Path, Version: m.Version}, "pkg:golang/"+m.Path+"@"+m.Version)
	}
	scripts, err := bundledPackages()
	if err != nil {
		return nil, err
	}
	for _, s := range scripts {
		purl := "pkg:npm/" + strings.Replace(s.name, "@", "%40", 1) + "@" + s.Version
		add(spdxPackage{
			Name: s.name, Version: s.Version, Declared: s.License,
			Checksums: []spdxChecksum{{"SHA512", s.sum}},
		}, purl)
	}
	data, err := json.MarshalIndent(doc, "", " ")
	return append(data, '\n'), err
}

// npmPackage is a package of package-lock.json.
type npmPackage struct {
	name      string
	sum       string // SHA-512 of what was downloaded, in hex
	Version   string
	License   string
	Integrity string
	Dev       bool
}

// bundledPackages returns the packages of package-lock.json that are bundled into norn; the others
// only help to build it.
func bundledPackages() ([]npmPackage, error) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		return nil, err
	}
	var lock struct{ Packages map[string]npmPackage }
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var bundled []npmPackage
	for path, p := range lock.Packages {
		_, name, inside := strings.Cut(path, "node_modules/")
		if !inside || p.Dev {
			continue
		}
		sum, found := strings.CutPrefix(p.Integrity, "sha512-")
		raw, err := base64.StdEncoding.DecodeString(sum)
		if !found || err != nil {
			return nil, fmt.Errorf("package-lock.json: %s: integrity %q isn't sha512", path, p.Integrity)
		}
		p.name, p.sum = name, hex.EncodeToString(raw)
		bundled = append(bundled, p)
	}
	slices.SortFunc(bundled, func(a, b npmPackage) int { return strings.Compare(a.name, b.name) })
	return bundled, nil
}
