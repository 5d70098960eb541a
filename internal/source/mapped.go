package source

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
)

// Mapping serves the documents of an address from a folder.
type Mapping struct {
	Prefix string // absolute URL; what lies below it is served
	Dir    string
	Local  bool // a document's path is the one below Dir, not the address
}

// Mapped finds documents by URL in folders of this machine. Nothing is fetched. It
// is not safe for concurrent use.
type Mapped struct {
	maps []mapped
	lim  Limits
	used int64
	docs int
}

type mapped struct {
	prefix string
	root   *os.Root
	local  bool
}

// OpenMapped opens the folders. Of several prefixes the longest that fits counts,
// and of equal ones the first.
func OpenMapped(list []Mapping, lim Limits) (*Mapped, error) {
	m := &Mapped{lim: lim.withDefaults()}
	for _, one := range list {
		u, err := url.Parse(one.Prefix)
		if err == nil && (!u.IsAbs() || u.Fragment != "" || u.RawQuery != "") {
			err = errors.New("it is not an absolute URL without query and fragment")
		}
		if err != nil {
			m.Close()
			return nil, fmt.Errorf("the prefix %q cannot be served: %w", one.Prefix, err)
		}
		root, err := os.OpenRoot(one.Dir)
		if err != nil {
			m.Close()
			return nil, fmt.Errorf("the folder for %s cannot be opened: %s", one.Prefix, reason(err))
		}
		m.maps = append(m.maps, mapped{one.Prefix, root, one.Local})
	}
	return m, nil
}

// Close closes the folders.
func (m *Mapped) Close() {
	for _, one := range m.maps {
		one.root.Close()
	}
}

// Retrieve reads the document that uri, which has no fragment, names in one of the
// folders. The path below the prefix is the path below the folder, as it is: no
// ending is added. It returns nil when no prefix fits or there is no such file. A
// path that leaves the folder, a symbolic link and what is no regular file are
// errors, as is a query. The document's path is the URI without its scheme, or where the
// mapping is local the path below its folder.
func (m *Mapped) Retrieve(uri string) (*Document, error) {
	best := -1
	for i := range m.maps {
		if rest, found := strings.CutPrefix(uri, m.maps[i].prefix); found && below(m.maps[i].prefix, rest) &&
			(best < 0 || len(m.maps[i].prefix) > len(m.maps[best].prefix)) {
			best = i
		}
	}
	if best < 0 {
		return nil, nil
	}
	at := m.maps[best]
	rest, err := url.PathUnescape(strings.TrimPrefix(strings.TrimPrefix(uri, at.prefix), "/"))
	switch {
	case err != nil:
		return nil, nil
	case rest == "" || strings.ContainsAny(rest, "?\\\x00"):
		return nil, nil
	}
	name := uri
	if _, after, found := strings.Cut(uri, "://"); at.local {
		name = rest
	} else if found {
		name = after
	}
	for part, more := rest, true; more; part, more = parent(part) {
		info, err := at.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist) && part == rest:
			return nil, nil
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return nil, diag.List{symlink(name)}
		}
	}
	if m.docs++; m.docs > m.lim.MaxFiles {
		return nil, fmt.Errorf("more than %d documents are referred to", m.lim.MaxFiles)
	}
	data, err := readFile(at.root, rest, m.lim)
	if err != nil {
		return nil, err
	}
	if m.used += int64(len(data)); m.used > m.lim.MaxTotalBytes {
		return nil, fmt.Errorf("the documents that are referred to have more than %d bytes together", m.lim.MaxTotalBytes)
	}
	return Parse(name, data, m.lim)
}

// below reports whether what follows a prefix lies below it: http://x/ab does not
// lie below http://x/a.
func below(prefix, rest string) bool {
	return strings.HasSuffix(prefix, "/") || strings.HasPrefix(rest, "/")
}

// parent cuts the last part off a path.
func parent(p string) (dir string, more bool) {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)], i > 0
}
