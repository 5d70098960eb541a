package closure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
)

// root is contract.json. The order of fields is that of the file.
type root struct {
	FormatVersion  int       `json:"formatVersion"`
	ContractDigest string    `json:"contractDigest"` // of the canonical form of this object without this member
	Contracts      []*sealed `json:"contracts"`      // ordered by name
}

// sealed is one contract in contract.json.
type sealed struct {
	Name      string     `json:"name"`
	Artifacts []artifact `json:"artifacts"` // ordered by path
}

// artifact is a file whose meaning is sealed.
type artifact struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"` // of the canonical form
	Bytes  int    `json:"bytes"`  // length of the canonical form
}

// Checksums is checksums.json.
type Checksums struct {
	FormatVersion int               `json:"formatVersion"`
	Files         map[string]string `json:"files"` // path → digest of the file's bytes
}

// computed returns the digest over r's other members.
func (r *root) computed() string {
	_, digest, err := Canonical(encode(struct {
		FormatVersion int       `json:"formatVersion"`
		Contracts     []*sealed `json:"contracts"`
	}{r.FormatVersion, r.Contracts}))
	if err != nil {
		panic("closure: contract.json has no canonical form: " + err.Error())
	}
	return digest
}

func (r *root) encode() []byte { return encode(r) }

func (c *Checksums) encode() []byte { return encode(c) }

func checksumsOf(files []File) *Checksums {
	c := &Checksums{FormatVersion: formatVersion, Files: make(map[string]string, len(files))}
	for _, f := range files {
		c.Files[f.Path] = Digest(f.Data)
	}
	return c
}

// encode prints v with two spaces a level and a line feed at the end; maps come
// out ordered by key.
func encode(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic("closure: " + err.Error()) // plain structs of strings and numbers
	}
	return out.Bytes()
}

// ParseChecksums reads checksums.json. It is strict, since what it lists may be
// removed: unknown members, duplicate names, unclean paths and malformed digests
// are errors.
func ParseChecksums(data []byte) (*Checksums, error) {
	c := &Checksums{}
	if err := strict(data, c); err != nil {
		return nil, err
	}
	if c.FormatVersion != formatVersion {
		return nil, fmt.Errorf("the format version is %d, not %d", c.FormatVersion, formatVersion)
	}
	for p, digest := range c.Files {
		if !CleanPath(p) || p == ChecksumsFile {
			return nil, fmt.Errorf("%.200q is not a path that a file could be listed under", p)
		}
		if !isDigest(digest) {
			return nil, fmt.Errorf("the digest of %s is not of the form sha256:<64 hexadecimal digits>", p)
		}
	}
	return c, nil
}

// Claims returns the digests that a contract.json states, by the artifact's
// path. A file that is malformed or contradicts its own contractDigest is an error.
func Claims(data []byte) (map[string]string, error) {
	r, err := parseRoot(data)
	if err != nil {
		return nil, err
	}
	if r.computed() != r.ContractDigest {
		return nil, fmt.Errorf("contractDigest is not that of the contracts")
	}
	claims := map[string]string{}
	for _, c := range r.Contracts {
		for _, a := range c.Artifacts {
			claims[a.Path] = a.SHA256
		}
	}
	return claims, nil
}

func parseRoot(data []byte) (*root, error) {
	r := &root{}
	if err := strict(data, r); err != nil {
		return nil, err
	}
	if r.FormatVersion != formatVersion {
		return nil, fmt.Errorf("the format version is %d, not %d", r.FormatVersion, formatVersion)
	}
	if !isDigest(r.ContractDigest) {
		return nil, fmt.Errorf("contractDigest is not of the form sha256:<64 hexadecimal digits>")
	}
	seen := map[string]bool{}
	for i, c := range r.Contracts {
		if c == nil {
			return nil, fmt.Errorf("contract %d is null", i)
		}
		for _, a := range c.Artifacts {
			switch {
			case !CleanPath(a.Path):
				return nil, fmt.Errorf("%.200q is not a path of an artifact", a.Path)
			case !isDigest(a.SHA256):
				return nil, fmt.Errorf("the digest of %s is not of the form sha256:<64 hexadecimal digits>", a.Path)
			case seen[a.Path]:
				return nil, fmt.Errorf("the artifact %s is listed twice", a.Path)
			}
			seen[a.Path] = true
		}
	}
	return r, nil
}

// strict decodes one JSON value without unknown members or duplicate names.
func strict(data []byte, into any) error {
	if _, _, err := Canonical(data); err != nil {
		return err
	}
	// Version 2 compares names exactly, as every other reader of these files does.
	if err := jsonv2.Unmarshal(data, into, jsonv2.RejectUnknownMembers(true)); err != nil {
		return unexpected(err)
	}
	return nil
}

// unexpected puts a decoding error in our own words; the library's differ from
// build to build, on purpose.
func unexpected(err error) error {
	semantic, ok := errors.AsType[*jsonv2.SemanticError](err)
	switch {
	case !ok || semantic.JSONPointer == "":
		return errors.New("it does not have the expected form")
	case errors.Is(err, jsonv2.ErrUnknownName):
		return fmt.Errorf("the member %.100q is not known", semantic.JSONPointer)
	}
	return fmt.Errorf("the member %.100q has the wrong type", semantic.JSONPointer)
}

func isDigest(s string) bool {
	const prefix = "sha256:"
	return len(s) == len(prefix)+64 && s[:len(prefix)] == prefix &&
		!slices.ContainsFunc([]byte(s[len(prefix):]), func(c byte) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') })
}
