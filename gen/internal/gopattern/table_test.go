package gopattern

import "strings"

// spaced is the pattern of a text that may stand between white space.
func spaced(inner string) string {
	const class = `[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`
	return "^" + class + "*(?:" + inner + ")" + class + "*$"
}

// table are the patterns that always run, with texts that match and do not.
var table = []struct {
	src     string
	yes, no []string
}{
	{``, []string{"", "x"}, nil},
	{`ping`, []string{"ping", "a ping b"}, []string{"", "pin", "pong"}},
	{`\.json$`, []string{".json", "a.json"}, []string{"json", "a.json\n", "a.jso"}},
	{`[]`, nil, []string{"", "a"}},
	{`^$`, []string{""}, []string{"a", "\n"}},
	{`^x-`, []string{"x-", "x-a"}, []string{"", "x", "ax-"}},
	{`^foo$`, []string{"foo"}, []string{"", "fo", "foo\n", "fooo"}},
	{`^.*$`, []string{"", "é😀"}, []string{"a\n", "\u2028"}},
	{`^.+$`, []string{"a", "é"}, []string{"", "\r"}},
	{`^\s*\d+\s*$`, []string{"1", " 12\u00a0", "\ufeff3"}, []string{"", " ", "1 2", "1é"}},
	{`^\s*\S+\s*$`, []string{"a", " é\u3000"}, []string{"", " ", "a b"}},
	{`^[a-z]{2,5}-[0-9]{1,6}$`, []string{"ab-1", "abcde-123456"}, []string{"a-1", "abcdef-1", "ab-", "ab-1234567", "ab1"}},
	{`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`, []string{"DE89370400440532013000"}, []string{"DE8937040044", "de89370400440532013000"}},
	{`^[A-Z]{3}-[0-9]{4}$`, []string{"ABC-1234"}, []string{"ABC-123", "ABC-12345", "ABCD1234"}},
	{`^dev-[a-z0-9]{8}$`, []string{"dev-abc12345"}, []string{"dev-abc1234", "dev-ABC12345"}},
	{`^[0-9]{4}$`, []string{"2024"}, []string{"204", "20245", "2o24"}},
	{`^sha256:[0-9a-f]{64}$`, []string{"sha256:" + strings.Repeat("0f", 32)}, []string{"sha256:" + strings.Repeat("0F", 32), "sha256:0f"}},
	{`^(sha256:)?[a-fA-F0-9]{64}$`, []string{strings.Repeat("aF", 32)}, []string{"sha256:", "sha255:" + strings.Repeat("aF", 32)}},
	{`^#(?:[\da-fA-F]{3}){1,2}$`, []string{"#abc", "#aBc123"}, []string{"#ab", "#abcd", "#abcdefa", "abc"}},
	{`^(|en|zh.*)$`, []string{"", "en", "zh", "zh-CN"}, []string{"e", "enx", "z", "zh\n"}},
	{`[^ ]`, []string{"a", " a"}, []string{"", "  "}},
	{`^([0-9a-f]{32})|(#\{.*\}#?)$`, []string{"#{x}", "a#{x}#", strings.Repeat("a", 33)}, []string{"#{x", "abc"}},
	{`^[é-ü]{2,3}$`, []string{"éü", "éêë"}, []string{"é", "aé", "éééé"}},
	{`^\p{L}+$`, []string{"aé漢"}, []string{"", "1", "a1"}},
	{`^(?:[é-ü]x)*$`, []string{"éxüx", ""}, []string{"éy", "é", "éxü"}},
	{`^[^a]{3}$`, []string{"bcd", "é漢😀"}, []string{"bca", "éé", "éééé"}},
	{`^[^/]+/[^/]?$`, []string{"é/", "é/漢"}, []string{"/", "é/漢漢"}},
	{`(a|b)*a(a|b){13}$`, []string{"abbbbbbbbbbbbb"}, []string{"bbbbbbbbbbbbbb", "a"}},
	{`\bfoo\b`, []string{"foo", "a foo b"}, []string{"food", "afoo"}},
	{`^(?:ab|cd){2}$`, []string{"abcd", "cdcd"}, []string{"ab", "ababab", "abce"}},
	{`^(?:ab|cd){2,}x[01]*`, []string{"abcdx", "cdcdabx01"}, []string{"abx", "ababab", "abce"}},
	{`^(?:a[0-9]|[b-f]x)?[xyz]{2}(?:-(?:l|r))?$`, []string{"a1xy", "xx-l", "bxzz-r"}, []string{"ax", "bxx", "xx-", "xx-m"}},
	{`^(?:[a-f]+|[0-9]+)(?:,[a-f]+;)*$`, []string{"a", "12,ab;", "ab,c;d"[:5]}, []string{"", "a1", "12,ab"}},
	{`^[a-z]{5000}$`, []string{strings.Repeat("a", 5000)}, []string{strings.Repeat("a", 4999)}},
	{`^"\\` + "`" + `$`, []string{"\"\\`"}, []string{"", "\""}},
	{`^[\x00-\x1f\x7f]?[^\x00-\x1f\x7f]+$`, []string{"\x00a", "é"}, []string{"", "\x00", "a\n"}},
	{`^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z$`,
		[]string{"2024-02-29T23:59:59.123Z", "2023-12-31T00:00Z", "2000-02-29T00:00Z"}, []string{"2023-02-29T23:59:59Z", "1900-02-29T00:00Z", "2023-12-31T24:00Z"}},
	{`^(?:artifact|repo|project|dashboard|render|integration|task|todo|file|files|mailery|conversation|knowledge|memento|https|http|git\+https)://`,
		[]string{"https://example.com/a", "files://", "git+https://x", "http://a"}, []string{"ftp://x", "file:/x", "filess://", "git+http://x"}},
	{`^(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)(?:/(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)?)*$`,
		[]string{"a/b/c.txt", ".", "./a", "..a/.b/", "é/漢😀", "src/internal/pattern/emit_test.go"}, []string{"", "..", "../a", "/a", "a/..", `a\b`, "a/../b"}},
	{`^(?:[^~/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)(?:/(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)?)*$`, []string{"a/~b"}, []string{"~a", "~"}},
	{`^(?:git\+)?https://github\.com/`, []string{"https://github.com/a/b", "git+https://github.com/"}, []string{"http://github.com/", "git+git+https://github.com/"}},
	{`^(?:\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?|gate:[0-9a-f][0-9a-f-]{7,35})$`,
		[]string{"2024-01-31", "2024-01-31T10:11:12.5Z", "gate:01234567", "gate:0123-abcd-ef"}, []string{"2024-01-31T", "gate:0123456", "gate:-1234567", "2024-01-31T10:11:12."}},
	{`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`,
		[]string{"2eb8aa08-aa98-41ea-b4aa-73b441d16380"}, []string{"2eb8aa08-aa98-01ea-b4aa-73b441d16380", "2eb8aa08-aa98-41ea-c4aa-73b441d16380", "2eb8aa08-aa98-41ea-b4aa-73b441d1638"}},
	{`^[^\x00-\x1f\x7f]+$`, []string{"waived until the 漢 is fixed"}, []string{"", "a\tb", "\x7f"}},
	{`^[a-fA-F0-9]{64}$`, []string{strings.Repeat("0a1B", 16)}, []string{strings.Repeat("0a1G", 16), strings.Repeat("0", 63)}},
	{`^[a-z0-9]+(?:-[a-z0-9]+)*$`, []string{"a", "contract-kit-2", "a-b-c-d"}, []string{"", "-a", "a-", "a--b", "A"}},
	{`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`, []string{"app-1", "a"}, []string{"1a", "a_b"}},
	{`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,3}$`, []string{"mail.sent", "a.b.c.d", "task_1.created_at"}, []string{"a", "a.b.c.d.e", "a.1", "a."}},
	{`^(@[a-z0-9-~][a-z0-9-._~]*/)?[a-z0-9-~][a-z0-9-._~]*$`, []string{"left-pad", "@scope/name.js"}, []string{"@scope", "@/a", ".a", "Left"}},
	{`^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`,
		[]string{"1.22.333", "1.2.3-rc.1+build.5", "1.0.0+x"}, []string{"1.2", "1.2.3-", "1.2.3+", "v1.2.3", "1.2.3-a..b"}},
	{`^[0-9a-f]{7,40}$`, []string{"0123abc", strings.Repeat("a", 40)}, []string{"012345", strings.Repeat("a", 41), "0123abG"}},
	{`^[A-Za-z0-9][A-Za-z0-9._:-]{0,159}$`, []string{"dep:2024-01.x_y"}, []string{"-a", "a" + strings.Repeat("b", 160)}},
	{`^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$`, []string{"todos.create", "a.b.c"}, []string{"a", "a..b", "A.b"}},
	{`^[A-Z][A-Z0-9_]*$`, []string{"DATABASE_URL"}, []string{"_A", "a", ""}},
	{`^hasna\.[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\.v[0-9]+$`, []string{"hasna.todos.task.v12", "hasna.a.v1"}, []string{"hasna.v1", "hasna.a.1", "hasna.a.v"}},
	{spaced(`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?|gate:[0-9a-f][0-9a-f-]{7,35}`),
		[]string{" 2024-01-31\n", "gate:01234567\u00a0\ufeff", "\u2003 2024-01-31"}, []string{"2024-01 -31", "\u200b2024-01-31"}},
	{spaced(`(?:git\+)?https://github\.com/.*`), []string{" https://github.com/x", "https://github.com/ a"}, []string{"https://gitlab.com/"}},
}
