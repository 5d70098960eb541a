package wasihost

import (
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

const wasmHeader = "\x00asm\x01\x00\x00\x00"

// Modules of a few bytes that ask for gigabytes get none.
func TestHostileModules(t *testing.T) {
	const huge = "\xff\xff\xff\xff\x0f"
	oneType := "\x01\x04\x01\x60\x00\x00"
	oneFunc := "\x03\x02\x01\x00"
	start := "\x07\x0a\x01\x06_start\x00\x00"
	for name, tt := range map[string]string{
		"types":              "\x01\x05" + huge,
		"parameters":         "\x01\x07\x01\x60" + huge,
		"imports":            "\x02\x05" + huge,
		"import name":        "\x02\x06\x01" + huge,
		"imported memory":    "\x02\x07\x01\x01a\x01b\x02\x00",
		"functions":          "\x03\x05" + huge,
		"tables":             "\x04\x05" + huge,
		"many tables":        "\x04\x10\x05" + strings.Repeat("\x70\x00\x01", 5),
		"table of billions":  "\x04\x08\x01\x70\x00" + huge,
		"memories":           "\x05\x05" + huge,
		"globals":            "\x06\x05" + huge,
		"exports":            "\x07\x05" + huge,
		"export name":        "\x07\x06\x01" + huge,
		"elements":           "\x09\x05" + huge,
		"element list":       "\x09\x0a\x01\x00\x41\x00\x0b" + huge,
		"codes":              "\x0a\x05" + huge,
		"code size":          "\x0a\x06\x01" + huge,
		"locals":             oneType + oneFunc + start + "\x0a\x0b\x01\x09\x01" + huge + "\x7f\x0b\x0b",
		"locals in parts":    oneType + oneFunc + start + "\x0a\x0c\x01\x0a\x02\xd0\x86\x03\x7f\xd0\x86\x03\x7e\x0b",
		"data":               "\x0b\x05" + huge,
		"data size":          "\x0b\x0a\x01\x00\x41\x00\x0b" + huge,
		"tags":               "\x0d\x01\x00",
		"section size":       "\x01" + huge,
		"names":              "\x00" + huge,
		"number without end": "\x01\x06\xff\xff\xff\xff\xff\x0f",
		"memory of all":      oneType + oneFunc + "\x05\x05\x01\x00\x80\x80\x04" + start + "\x0a\x04\x01\x02\x00\x0b",
	} {
		c := ask(t)
		c.module = []byte(wasmHeader + tt)
		begun := time.Now()
		o := hostAt(t, Options{}).run(t.Context(), c)
		if o.termination != pack.Trapped && o.termination != pack.MemoryLimit || time.Since(begun) > 50*time.Second {
			t.Errorf("%s: %s after %v: %s", name, o.termination, time.Since(begun), o.reason)
		}
	}
}

// A table without a bound gets one: a component that lets it grow for ever fails at it.
func TestTableIsBounded(t *testing.T) {
	// loop: table.grow by 65,536; when it fails, exit by unreachable; else again.
	body := "\x00\x03\x40\xd0\x70\x41\x80\x80\x04\xfc\x0f\x00\x41\x7f\x46\x04\x40\x00\x0b\x0c\x00\x0b\x0b"
	code := string([]byte{byte(len(body))}) + body
	module := wasmHeader + "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + "\x04\x04\x01\x70\x00\x00" + "\x07\x0a\x01\x06_start\x00\x00" +
		"\x0a" + string([]byte{byte(len(code) + 1)}) + "\x01" + code
	c := ask(t)
	c.module = []byte(module)
	if o := hostAt(t, Options{}).run(t.Context(), c); o.termination != pack.Trapped || !strings.Contains(o.reason, "unreachable") {
		t.Errorf("%s: %s", o.termination, o.reason)
	}
}
