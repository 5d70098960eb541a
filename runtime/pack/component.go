package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// MaxComponent is the largest component, in bytes, that Component reads.
const MaxComponent = 64 << 20

// Component reads the module that the request names, from the pack's folder, and
// returns it with its digest, "sha256:<hex>". Symbolic links are refused wherever
// they stand in the path, as is everything that is no regular file.
func (r IsolatedRequest) Component() (data []byte, digest string, err error) {
	w, err := OpenWorkspace(r.Root)
	if err != nil {
		return nil, "", err
	}
	defer w.Close()
	module := strings.TrimPrefix(r.Module, "./")
	real, err := w.Resolve(module)
	if err == nil && real != module {
		err = fmt.Errorf("%w: %s goes through a symbolic link", ErrNotAllowed, quote(r.Module))
	}
	if err != nil {
		return nil, "", err
	}
	data, err = w.read(real, MaxComponent)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	return data, "sha256:" + hex.EncodeToString(sum[:]), nil
}
