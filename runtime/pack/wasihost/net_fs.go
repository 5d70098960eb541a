package wasihost

import (
	"context"
	"io"
	"io/fs"
	"net"
	"strings"
	"sync"

	xsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/sys"
)

// NetworkDir is where a component with an allowlist finds the network: opening
// /dev/tcp/HOST:PORT for reading and writing connects there. Preview 1 has no call
// that opens a connection; it does have files.
const NetworkDir = "/dev/tcp"

// netFS has one file for each address that may be reached, and no list of them.
type netFS struct {
	xsys.UnimplementedFS
	ctx     context.Context // of the guest
	allowed func(address string) bool
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	most    int // connections that may be open

	mu   sync.Mutex
	open map[net.Conn]bool
}

var _ xsys.FS = (*netFS)(nil)

func (n *netFS) OpenFile(name string, flag xsys.Oflag, _ fs.FileMode) (xsys.File, xsys.Errno) {
	address := strings.Trim(name, "/")
	if address == "" || address == "." {
		return netRoot{}, 0
	}
	if flag&accessMode != xsys.O_RDWR || !n.allowed(address) {
		return nil, xsys.EPERM
	}
	n.mu.Lock()
	full := len(n.open) >= n.most
	n.mu.Unlock()
	if full {
		return nil, xsys.EAGAIN
	}
	conn, err := n.dial(n.ctx, "tcp", address)
	if err != nil {
		return nil, xsys.EIO
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.open == nil || n.ctx.Err() != nil { // the guest has ended meanwhile
		_ = conn.Close()
		return nil, xsys.EIO
	}
	n.open[conn] = true
	return &connHandle{fs: n, conn: conn, name: address}, 0
}

// closeAll ends all connections, also those that the guest waits for at this moment.
func (n *netFS) closeAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for conn := range n.open {
		_ = conn.Close()
	}
	n.open = nil
}

func (n *netFS) Lstat(name string) (sys.Stat_t, xsys.Errno) { return n.Stat(name) }

// Stat does not tell whether anybody listens.
func (n *netFS) Stat(name string) (sys.Stat_t, xsys.Errno) {
	address := strings.Trim(name, "/")
	switch {
	case address == "" || address == ".":
		return netRoot{}.Stat()
	case n.allowed(address):
		return connStat(address), 0
	}
	return sys.Stat_t{}, xsys.ENOENT
}

func connStat(address string) sys.Stat_t {
	return sys.Stat_t{Ino: inode(NetworkDir + "/" + address), Nlink: 1, Mode: fs.ModeDevice | fs.ModeCharDevice | 0o600}
}

// netRoot is the folder of the addresses; it lists none.
type netRoot struct{ xsys.DirFile }

func (netRoot) Dev() (uint64, xsys.Errno)                 { return 0, 0 }
func (netRoot) Ino() (sys.Inode, xsys.Errno)              { return inode(NetworkDir), 0 }
func (netRoot) Readdir(int) ([]xsys.Dirent, xsys.Errno)   { return nil, 0 }
func (netRoot) Seek(position, int) (position, xsys.Errno) { return 0, 0 }
func (netRoot) Sync() xsys.Errno                          { return 0 }
func (netRoot) Datasync() xsys.Errno                      { return 0 }
func (netRoot) Utimens(int64, int64) xsys.Errno           { return xsys.EPERM }
func (netRoot) Close() xsys.Errno                         { return 0 }
func (netRoot) Stat() (sys.Stat_t, xsys.Errno) {
	return sys.Stat_t{Ino: inode(NetworkDir), Nlink: 1, Mode: fs.ModeDir | 0o700}, 0
}

// connHandle is an open connection.
type connHandle struct {
	xsys.UnimplementedFile
	fs   *netFS
	conn net.Conn
	name string
}

func (c *connHandle) Dev() (uint64, xsys.Errno)      { return 0, 0 }
func (c *connHandle) Ino() (sys.Inode, xsys.Errno)   { return connStat(c.name).Ino, 0 }
func (c *connHandle) IsDir() (bool, xsys.Errno)      { return false, 0 }
func (c *connHandle) Stat() (sys.Stat_t, xsys.Errno) { return connStat(c.name), 0 }
func (c *connHandle) Sync() xsys.Errno               { return 0 }
func (c *connHandle) Datasync() xsys.Errno           { return 0 }

func (c *connHandle) Read(buf []byte) (int, xsys.Errno) {
	if len(buf) == 0 {
		return 0, 0
	}
	n, err := c.conn.Read(buf)
	if err != nil && err != io.EOF && n == 0 {
		return 0, xsys.EIO
	}
	return n, 0
}

func (c *connHandle) Write(buf []byte) (int, xsys.Errno) {
	n, err := c.conn.Write(buf)
	if err != nil && n == 0 {
		return 0, xsys.EIO
	}
	return n, 0
}

func (c *connHandle) Close() xsys.Errno {
	c.fs.mu.Lock()
	defer c.fs.mu.Unlock()
	if c.fs.open[c.conn] {
		delete(c.fs.open, c.conn)
		_ = c.conn.Close()
	}
	return 0
}
