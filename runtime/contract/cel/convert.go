package cel

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Dyn is dyn(v): v.
func (c *Ctx) Dyn(v Val) Val { return v }

// TypeOf is type(v).
func (c *Ctx) TypeOf(v Val) Val {
	if v.kind == KindError {
		return v
	}
	return TypeNamed(v.typeName())
}

// noConversion is the error of a conversion that does not exist or fails.
func noConversion(v Val, to string) Val {
	return badArg(v, "type conversion error from '"+v.typeName()+"' to '"+to+"'")
}

// ToInt is int(v). A double loses its fraction; a timestamp gives seconds since 1970, a
// duration nanoseconds.
func (c *Ctx) ToInt(v Val) Val {
	switch v.kind {
	case KindInt:
		return v
	case KindUint:
		if v.num > math.MaxInt64 {
			return errIntRange
		}
		return Int(v.int())
	case KindDouble:
		f := v.double()
		if !(f > math.MinInt64 && f < math.MaxInt64) {
			return errIntRange
		}
		return Int(int64(f))
	case KindString:
		if i, err := strconv.ParseInt(v.str, 10, 64); err == nil {
			return Int(i)
		}
	case KindTimestamp:
		return Int(seconds(v))
	case KindDuration:
		return Int(v.int())
	}
	return noConversion(v, "int")
}

// ToUint is uint(v).
func (c *Ctx) ToUint(v Val) Val {
	switch v.kind {
	case KindUint:
		return v
	case KindInt:
		if v.int() < 0 {
			return errUintRange
		}
		return Uint(v.num)
	case KindDouble:
		f := v.double()
		if !(f >= 0 && f < 1<<64) {
			return errUintRange
		}
		return Uint(uint64(f))
	case KindString:
		if u, err := strconv.ParseUint(v.str, 10, 64); err == nil {
			return Uint(u)
		}
	}
	return noConversion(v, "uint")
}

// ToDouble is double(v).
func (c *Ctx) ToDouble(v Val) Val {
	switch v.kind {
	case KindDouble:
		return v
	case KindInt:
		return Double(float64(v.int()))
	case KindUint:
		return Double(float64(v.num))
	case KindString:
		if !c.spendText(len(v.str)) {
			return errLimit
		}
		if f, err := strconv.ParseFloat(v.str, 64); err == nil {
			return Double(f)
		}
	}
	return noConversion(v, "double")
}

// ToBool is bool(v).
func (c *Ctx) ToBool(v Val) Val {
	switch v.kind {
	case KindBool:
		return v
	case KindString:
		if b, err := strconv.ParseBool(v.str); err == nil {
			return Bool(b)
		}
	}
	return noConversion(v, "bool")
}

// ToBytes is bytes(v).
func (c *Ctx) ToBytes(v Val) Val {
	switch v.kind {
	case KindBytes, KindString:
		return Bytes(v.str)
	}
	return noConversion(v, "bytes")
}

// ToString is string(v).
func (c *Ctx) ToString(v Val) Val {
	switch v.kind {
	case KindString:
		return v
	case KindBool:
		return String(strconv.FormatBool(v.num != 0))
	case KindInt:
		return String(strconv.FormatInt(v.int(), 10))
	case KindUint:
		return String(strconv.FormatUint(v.num, 10))
	case KindDouble:
		return String(formatDouble(v.double()))
	case KindBytes:
		if !c.spendText(len(v.str)) {
			return errLimit
		}
		if !utf8.ValidString(v.str) {
			return Err("invalid UTF-8 in bytes, cannot convert to string")
		}
		return String(v.str)
	case KindTimestamp:
		return String(formatTime(v))
	case KindDuration:
		return String(formatDuration(v))
	case KindOpaque:
		if s, ok := opaqueString(v.ref); ok {
			return String(s)
		}
	}
	return noConversion(v, "string")
}

// formatDouble writes a double as fmt's %g does.
func formatDouble(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// ToTimestamp is timestamp(v), of RFC 3339 or of seconds since 1970.
func (c *Ctx) ToTimestamp(v Val) Val {
	switch v.kind {
	case KindTimestamp:
		return v
	case KindInt:
		if v.int() < minSeconds || v.int() > maxSeconds {
			return errTimeRange
		}
		return packTime(v.int(), 0, 0)
	case KindString:
		if !c.spendText(len(v.str)) {
			return errLimit
		}
		return parseTime(v.str, false)
	}
	return noConversion(v, "timestamp")
}

// ToDuration is duration(v), of a text such as 1h30m.
func (c *Ctx) ToDuration(v Val) Val {
	switch v.kind {
	case KindDuration:
		return v
	case KindString:
		if !c.spendText(len(v.str)) {
			return errLimit
		}
		return parseDuration(v.str)
	}
	return noConversion(v, "duration")
}
