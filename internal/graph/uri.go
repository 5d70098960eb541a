package graph

import (
	"errors"
	"net/url"
)

// maxURI is the longest reference or identifier that is read, in bytes.
const maxURI = 4096

// uri is a parsed URI without fragment and its text.
type uri struct {
	url  *url.URL
	text string
}

func newURI(u *url.URL) *uri {
	clean := *u
	clean.Fragment, clean.RawFragment = "", ""
	return &uri{&clean, clean.String()}
}

// reference splits a URI reference into what stands before the fragment and
// the fragment, percent-decoded.
func reference(text string) (u *url.URL, fragment string, err error) {
	if len(text) > maxURI {
		return nil, "", errors.New("it is too long")
	}
	u, err = url.Parse(text)
	if err != nil {
		if ue, ok := errors.AsType[*url.Error](err); ok {
			err = ue.Err
		}
		return nil, "", err
	}
	fragment = u.Fragment
	u.Fragment, u.RawFragment = "", ""
	return u, fragment, nil
}

// resolve returns the URI that ref means when it is written inside base.
func (base *uri) resolve(ref *url.URL) *uri {
	if *ref == (url.URL{}) {
		return base
	}
	return newURI(base.url.ResolveReference(ref))
}
