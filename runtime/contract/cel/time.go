package cel

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/contractkit/contractkit/runtime/contract"
)

// The seconds since 1970 of the first and of the last timestamp: the years 1 to 9999.
const (
	minSeconds = -62135596800
	maxSeconds = 253402300799
)

// offsetBits is what packTime keeps of the zone: minutes east of UTC, plus half the range.
const (
	offsetBits = 12
	offsetZero = 1 << (offsetBits - 1)
)

// Timestamp returns a timestamp, which keeps the offset of t's zone in minutes.
func Timestamp(t time.Time) Val {
	_, offset := t.Zone()
	return packTime(t.Unix(), t.Nanosecond(), offset/60)
}

func packTime(sec int64, nano, offset int) Val {
	return Val{kind: KindTimestamp, node: contract.Node(nano), num: uint64(sec)<<offsetBits | uint64(offset+offsetZero)}
}

func seconds(v Val) int64 { return int64(v.num) >> offsetBits }

func offsetOf(v Val) int { return int(v.num&(1<<offsetBits-1)) - offsetZero }

func (v Val) time() time.Time {
	t := time.Unix(seconds(v), int64(v.node)).UTC()
	if o := offsetOf(v); o != 0 {
		return t.In(time.FixedZone("", o*60))
	}
	return t
}

// AsTimestamp returns the timestamp, in its own zone; ok is false when v is none.
func (v Val) AsTimestamp() (t time.Time, ok bool) {
	if v.kind != KindTimestamp {
		return time.Time{}, false
	}
	return v.time(), true
}

func addTime(a, b Val) Val {
	if b.kind == KindTimestamp {
		a, b = b, a
	}
	if a.kind != KindTimestamp || b.kind != KindDuration {
		return errOverload
	}
	return shift(a, b.int()/1e9, b.int()%1e9)
}

// shift adds seconds and nanoseconds of one sign to a timestamp.
func shift(t Val, sec, nano int64) Val {
	sec, nano = seconds(t)+sec, int64(t.node)+nano
	switch {
	case nano < 0:
		sec, nano = sec-1, nano+1e9
	case nano >= 1e9:
		sec, nano = sec+1, nano-1e9
	}
	if sec < minSeconds || sec > maxSeconds {
		return errTimeRange
	}
	return packTime(sec, int(nano), offsetOf(t))
}

func subTime(a, b Val) Val {
	switch b.kind {
	case KindDuration:
		if b.int() == math.MinInt64 {
			return errDuration
		}
		return shift(a, -(b.int() / 1e9), -(b.int() % 1e9))
	case KindTimestamp:
		ns, ok := mulInt(seconds(a)-seconds(b), 1e9)
		if !ok {
			return errDuration
		}
		return addInt(ns, int64(a.node)-int64(b.node), KindDuration)
	}
	return errOverload
}

// digits reads n decimal digits at the start of s; -1 when they are not there.
func digits(s string, n int) int {
	if len(s) < n {
		return -1
	}
	x := 0
	for i := range n {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		x = x*10 + int(s[i]-'0')
	}
	return x
}

// two reads two decimal digits at s[i]; it is 255 or more when they are not there.
func two(s string, i int) uint {
	a, b := uint(s[i]-'0'), uint(s[i+1]-'0')
	if a > 9 || b > 9 {
		return 255
	}
	return a*10 + b
}

// monthDays are the days of the months, of February in a leap year.
var monthDays = [13]uint8{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// parseDay reads YYYY-MM-DD at the start of s and gives seconds since 1970.
func parseDay(s string) (sec int64, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	c, y, m, d := two(s, 0), two(s, 2), two(s, 5), two(s, 8)
	if c > 99 || y > 99 || m < 1 || m > 12 || d < 1 || d > uint(monthDays[m]) {
		return 0, false
	}
	if y += c * 100; d == 29 && m == 2 && (y%4 != 0 || y%100 == 0 && y%400 != 0) {
		return 0, false
	}
	return days(int64(y), int64(m), int64(d)) * 86400, true
}

// days counts the days from 1970-01-01 to a day of the Gregorian calendar. Years are
// taken to begin in March, so that the leap day is their last, and put into eras of 400
// years, which all have 146097 days; 719468 lie between the first of them and 1970.
func days(y, m, d int64) int64 {
	if m -= 3; m < 0 {
		y, m = y-1, m+12
	}
	y += 400 // the year 0 has a January
	inEra := y % 400
	ofYear := (153*m+2)/5 + d - 1
	return (y/400-1)*146097 + inEra*365 + inEra/4 - inEra/100 + ofYear - 719468
}

// clock is a time of day as it was written.
type clock struct {
	sec, nano int
	lost      bool   // the fraction has digits beyond nanoseconds that are not zero
	rest      string // what follows
}

// parseClock reads HH:MM, then :SS and a fraction, which may be absent if loose.
func parseClock(s string, loose bool) (t clock, ok bool) {
	if len(s) < 5 || s[2] != ':' {
		return t, false
	}
	h, m := two(s, 0), two(s, 3)
	if h > 23 || m > 59 {
		return t, false
	}
	t.sec, t.rest = int(h*3600+m*60), s[5:]
	if len(s) == 5 || s[5] != ':' {
		return t, loose
	}
	if len(s) < 8 {
		return t, false
	}
	sec := two(s, 6)
	if sec > 59 {
		return t, false
	}
	t.sec, t.rest = t.sec+int(sec), s[8:]
	if !strings.HasPrefix(t.rest, ".") {
		return t, true
	}
	fraction := strings.TrimLeft(t.rest[1:], "0123456789")
	written := t.rest[1 : len(t.rest)-len(fraction)]
	t.rest = fraction
	if written == "" {
		return t, false
	}
	if len(written) > 9 {
		t.lost = strings.Trim(written[9:], "0") != ""
		written = written[:9]
	}
	t.nano = digits(written, len(written))
	for range 9 - len(written) {
		t.nano *= 10
	}
	return t, true
}

// parseOffset reads Z or ±HH:MM, all of s, and gives minutes.
func parseOffset(s string) (minutes int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, m := digits(s[1:], 2), digits(s[4:], 2)
	if h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, false
	}
	if minutes = h*60 + m; s[0] == '-' {
		minutes = -minutes
	}
	return minutes, true
}

// parseTime reads RFC 3339; seconds may be absent if loose.
func parseTime(s string, loose bool) Val {
	bad := Err("invalid RFC 3339 timestamp")
	day, ok := parseDay(s)
	if !ok || len(s) < 11 || s[10] != 'T' && s[10] != 't' || !loose && s[10] != 'T' {
		return bad
	}
	t, ok := parseClock(s[11:], loose)
	if !ok {
		return bad
	}
	offset, ok := parseOffset(t.rest)
	if !ok {
		return bad
	}
	sec := day + int64(t.sec) - int64(offset)*60
	if sec < minSeconds || sec > maxSeconds {
		return errTimeRange
	}
	return packTime(sec, t.nano, offset)
}

func parseLooseTime(s string) Val { return parseTime(s, true) }

func parseDate(s string) Val {
	sec, ok := parseDay(s)
	if !ok || len(s) != 10 || sec < minSeconds {
		return Err("the string is not a date")
	}
	return packTime(sec, 0, 0)
}

func parseDuration(s string) Val {
	d, err := time.ParseDuration(s)
	if err != nil {
		return Err("invalid duration: " + strconv.Quote(clip(s)))
	}
	return Duration(d)
}

// clip shortens what a message quotes.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func formatTime(v Val) string { return v.time().Format(time.RFC3339Nano) }

func formatDuration(v Val) string {
	return strconv.FormatFloat(time.Duration(v.num).Seconds(), 'f', -1, 64) + "s"
}

// zoned returns the timestamp args[0] in the zone args[1]: the name of a zone of the
// time zone database, or an offset such as -08:00. Without one it is in UTC.
func (c *Ctx) zoned(args []Val) (time.Time, Val) {
	if len(args) == 0 || len(args) > 2 || args[0].kind != KindTimestamp {
		return time.Time{}, failed(args...)
	}
	t := args[0].time()
	if len(args) == 1 {
		return t.UTC(), Null()
	}
	if args[1].kind != KindString {
		return time.Time{}, failed(args[1])
	}
	zone, bad := c.zone(args[1].str)
	if bad.kind == KindError {
		return time.Time{}, bad
	}
	return t.In(zone), Null()
}

func (c *Ctx) zone(name string) (*time.Location, Val) {
	hours, minutes, isOffset := strings.Cut(name, ":")
	if isOffset {
		h, errH := strconv.Atoi(hours)
		m, errM := strconv.Atoi(minutes)
		if errH != nil || errM != nil || h < -23 || h > 23 || m < 0 || m > 59 {
			return nil, Err("invalid timezone offset: " + strconv.Quote(clip(name)))
		}
		if name[0] == '-' {
			m = -m
		}
		return time.FixedZone("", h*3600+m*60), Null()
	}
	if zone, ok := c.zones[name]; ok {
		return zone, Null()
	}
	const most = 64                             // names that one Ctx remembers
	if len(c.zones) >= most || !c.spend(1000) { // it is read from a file
		return nil, Err("too many time zones")
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, Err("unknown time zone " + strconv.Quote(clip(name)))
	}
	if c.zones == nil {
		c.zones = map[string]*time.Location{}
	}
	c.zones[name] = zone
	return zone, Null()
}
