//go:build !unix

package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lock waits until it can create the file. One that a killed process has left must
// be removed by hand; the error says so.
func lock(ctx context.Context, root *os.Root, name string) (unlock func(), err error) {
	for range 2000 {
		file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_ = file.Close()
			return func() { _ = root.Remove(name) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("another run holds it; if none is under way, remove the file")
}
