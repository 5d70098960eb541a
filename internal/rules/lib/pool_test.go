package lib

import (
	"math"
	"net/netip"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
)

func adapt(v any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }

func listOf(items ...any) ref.Val {
	out := make([]ref.Val, len(items))
	for i, x := range items {
		out[i] = adapt(x)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, out)
}

func at(s string) ref.Val {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return types.Timestamp{Time: t}
}

var texts = []string{
	"", "a", "abc", "tacocat", "héllo😀", " \tx\n", "A\"\\b\a", "123", "-5", "1.5", "1e3", "true", "T", "NaN",
	"1h30m", "-1.5s", "9999999h", "2020-02-29T12:30:45.123456789Z", "2019-02-29T00:00:00Z", "2020-01-01T00:00:00+01:00", "2020-01-01T00:00Z",
	"0000-01-01T00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T23:59:60Z", "2020-01-01T00:00:00.1234567891Z", "2020-01-01",
	"%s and %d", "%.2f|%e", "%x %X %o %b", "%", "%%", "%.101f", "%q", "^a.*c$", "(", "a(b)?", "(a)(b)", "[a-c]+", `\0-\1`, `\`,
	"1.2.3", "v1.2", "01.2.3", "1.2.3-rc.1+b", "1.2.3-rc.01", "1.2.3-alpha.beta", "10.0.0", "1.2",
	"10Gi", "1.5Gi", "100m", "+", "1E", "1e-10", "0.1n", "-3", "1Ki1", "9Ei", "12345678901234567890", "0.3", "1.", ".5",
	"10.0.0.1", "10.0.0.0/8", "10.1.2.3/16", "::1", "fe80::1%eth0", "::ffff:1.2.3.4", "2001:DB8::1", "2001:db8::/32", "224.0.0.1", "0.0.0.0",
	"https://u@example.com:80/a%20b?x=1&y=2&x=3#f", "/path?q", "http://[::1]:8080/", "no scheme", "//h/p",
	"-08:00", "05:30", "America/New_York", "Nowhere/Land", "24:00", "Local ",
	"aGVsbG8=", "aGVsbG8", "-_-_", "my-name.example.com", "My_Label", "a/b", "a/b/c", "-x", "x-", "dns1123Label", "uuid",
	"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "café", "\U0001F600", "\uFB33", "\r",
}

// pool is every kind of value, those at the ends of its range among them.
func pool() []ref.Val {
	vals := []ref.Val{types.NullValue, types.True, types.False}
	for _, i := range []int64{0, 1, -1, 2, 3, 7, 64, 1<<53 + 1, math.MaxInt64, math.MinInt64} {
		vals = append(vals, types.Int(i))
	}
	for _, u := range []uint64{0, 1, 2, 1<<63 + 1, math.MaxUint64} {
		vals = append(vals, types.Uint(u))
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1.5, -1.5, 2.5, -2, 1e6, 1e21, 1e-7, math.NaN(), math.Inf(1), math.Inf(-1), 1 << 63, 1 << 64, 1e300, 5e-324} {
		vals = append(vals, types.Double(f))
	}
	for _, s := range texts {
		vals = append(vals, types.String(s))
	}
	for _, b := range []string{"", "abc", "\xff", "\x00\x01"} {
		vals = append(vals, types.Bytes(b))
	}
	for _, s := range []string{"2020-02-29T12:30:45.123456789Z", "2020-01-01T00:30:00+01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.5Z"} {
		vals = append(vals, at(s))
	}
	for _, d := range []time.Duration{0, 1, -1, 90 * time.Minute, -1500 * time.Millisecond, math.MaxInt64, math.MinInt64} {
		vals = append(vals, types.Duration{Duration: d})
	}
	none, one := types.OptionalNone, types.OptionalOf(types.Int(1))
	return append(vals,
		listOf(), listOf(1, 2, 3), listOf(3, 1, 2), listOf(1, 1.0, uint64(1)), listOf("a", "b"), listOf("b", "a", "a"), listOf("a", "x", "z"),
		listOf(listOf(1), listOf(2, listOf(3))), listOf(1, "a"), listOf(true, false), listOf(time.Second, time.Minute), listOf(2.5, -1.0, math.NaN()),
		listOf(one, none), listOf(none), listOf(math.MaxInt64, 1), listOf(uint64(1), uint64(2)), listOf(nil), listOf("\uFB33", "\U0001F600"), listOf([]byte("b"), []byte("a")),
		adapt(map[string]int{}), adapt(map[string]int{"a": 1}), adapt(map[string]any{"b": 1.5, "a": []string{"x"}, "\U0001F600": nil, "\uFB33": true}),
		adapt(map[int64]string{1: "x", 2: "y"}), adapt(map[bool]int{true: 1}), adapt(map[uint64]int{1: 1}),
		adapt(map[string][]string{"a": {"b"}, "b": {"a"}}), adapt(map[string][]string{"a": {"b", "c"}, "b": {"c", "x"}, "c": {}}),
		adapt(map[string][]string{"z": {"y"}, "y": {"x", "z"}, "x": {"x"}}), adapt(map[string]float64{"n": 1e21, "m": 1e-7, "o": math.Copysign(0, -1)}),
		types.IntType, types.StringType, types.ListType, types.OptionalType, none, one, types.OptionalOf(types.NullValue), types.OptionalOf(one),
		types.OptionalOf(adapt(map[string]int{"a": 1})),
		ext.IP{Addr: netip.MustParseAddr("10.0.0.1")}, ext.IP{Addr: netip.MustParseAddr("fe80::1")}, ext.CIDR{Prefix: netip.MustParsePrefix("10.1.2.3/8")},
	)
}
