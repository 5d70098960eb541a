package contract

// IsDateTime reports whether s is an RFC 3339 date-time, such as
// 2024-02-29T23:59:60Z. T and Z may be in lower case; a leap second must be the
// last second of a day in UTC.
func IsDateTime(s []byte) bool {
	return len(s) > 11 && isDate(s[:10]) && s[10]|0x20 == 't' && IsTime(s[11:])
}

// IsDate reports whether s is an RFC 3339 full-date that exists in the calendar.
func IsDate(s []byte) bool { return len(s) == 10 && isDate(s) }

// isDate is IsDate for ten bytes.
func isDate(s []byte) bool {
	if s[4] != '-' || s[7] != '-' {
		return false
	}
	high, low, month, day := twoDigits(s[0], s[1]), twoDigits(s[2], s[3]), twoDigits(s[5], s[6]), twoDigits(s[8], s[9])
	if (high|low) < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	if day <= 28 {
		return true
	}
	return day <= daysIn(high*100+low, month)
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// twoDigits gives the value of two decimal digits, or a negative number.
func twoDigits(a, b byte) int {
	a -= '0'
	b -= '0'
	if a > 9 || b > 9 {
		return -1
	}
	return int(a)*10 + int(b)
}

// IsTime reports whether s is an RFC 3339 full-time, such as 08:30:06.28+01:00.
func IsTime(s []byte) bool {
	if len(s) < len("00:00:00Z") || s[2] != ':' || s[5] != ':' {
		return false
	}
	hour, minute, second := twoDigits(s[0], s[1]), twoDigits(s[3], s[4]), twoDigits(s[6], s[7])
	if (hour|minute|second) < 0 || hour > 23 || minute > 59 || second > 60 {
		return false
	}
	i := 8
	if s[i] == '.' {
		start := i + 1
		for i = start; i < len(s) && s[i]-'0' <= 9; i++ {
		}
		if i == start || i == len(s) {
			return false
		}
	}
	offset := 0 // minutes east of UTC
	switch zone := s[i:]; {
	case zone[0]|0x20 == 'z':
		if len(zone) != 1 {
			return false
		}
	case zone[0] == '+' || zone[0] == '-':
		if len(zone) != len("+00:00") || zone[3] != ':' {
			return false
		}
		h, m := twoDigits(zone[1], zone[2]), twoDigits(zone[4], zone[5])
		if (h|m) < 0 || h > 23 || m > 59 {
			return false
		}
		offset = h*60 + m
		if zone[0] == '-' {
			offset = -offset
		}
	default:
		return false
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

// IsDuration reports whether s is a duration by appendix A of RFC 3339, such as
// P1Y2M3DT4H5M6S or P2W. By that grammar no unit may be left out between two
// others (P1Y2D), and there are no fractions.
func IsDuration(s []byte) bool {
	if len(s) < 3 || s[0] != 'P' {
		return false
	}
	if s[len(s)-1] == 'W' {
		i, _ := durationUnits(s, 1, "W")
		return i == len(s)
	}
	i, dated := durationUnits(s, 1, "YMD")
	if i < len(s) && s[i] == 'T' {
		j, timed := durationUnits(s, i+1, "HMS")
		return timed && j == len(s)
	}
	return dated && i == len(s)
}

// durationUnits steps over numbers with units, which must be neighbours in units.
// It gives the offset of what is left, len(s)+1 if a number has no such unit.
func durationUnits(s []byte, i int, units string) (end int, some bool) {
	next := 0
	for i < len(s) && s[i]-'0' <= 9 {
		for i < len(s) && s[i]-'0' <= 9 {
			i++
		}
		if i == len(s) {
			return len(s) + 1, some
		}
		k := next
		for k < len(units) && units[k] != s[i] {
			k++
		}
		if k == len(units) || some && k != next {
			return len(s) + 1, some
		}
		next = k + 1
		some = true
		i++
	}
	return i, some
}
