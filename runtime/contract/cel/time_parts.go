package cel

import "time"

// part returns a number of a timestamp in UTC or in a given zone, or, where CEL has
// that, of a duration.
func (c *Ctx) part(args []Val, of func(time.Time) int, ofDuration func(time.Duration) int64) Val {
	if len(args) == 1 && args[0].kind == KindDuration && ofDuration != nil {
		return Int(ofDuration(time.Duration(args[0].num)))
	}
	t, bad := c.zoned(args)
	if bad.kind == KindError {
		return bad
	}
	return Int(int64(of(t)))
}

// GetFullYear is t.getFullYear() or t.getFullYear(zone), as are the following.
func (c *Ctx) GetFullYear(args ...Val) Val { return c.part(args, time.Time.Year, nil) }

// GetMonth counts from 0.
func (c *Ctx) GetMonth(args ...Val) Val {
	return c.part(args, func(t time.Time) int { return int(t.Month()) - 1 }, nil)
}

// GetDate is the day of the month, from 1.
func (c *Ctx) GetDate(args ...Val) Val { return c.part(args, time.Time.Day, nil) }

// GetDayOfMonth is the day of the month, from 0.
func (c *Ctx) GetDayOfMonth(args ...Val) Val {
	return c.part(args, func(t time.Time) int { return t.Day() - 1 }, nil)
}

// GetDayOfWeek counts from 0, Sunday.
func (c *Ctx) GetDayOfWeek(args ...Val) Val {
	return c.part(args, func(t time.Time) int { return int(t.Weekday()) }, nil)
}

// GetDayOfYear counts from 0.
func (c *Ctx) GetDayOfYear(args ...Val) Val {
	return c.part(args, func(t time.Time) int { return t.YearDay() - 1 }, nil)
}

// GetHours is the hour of a timestamp, or a duration in hours.
func (c *Ctx) GetHours(args ...Val) Val {
	return c.part(args, time.Time.Hour, func(d time.Duration) int64 { return int64(d.Hours()) })
}

// GetMinutes is the minute of a timestamp, or a duration in minutes.
func (c *Ctx) GetMinutes(args ...Val) Val {
	return c.part(args, time.Time.Minute, func(d time.Duration) int64 { return int64(d.Minutes()) })
}

// GetSeconds is the second of a timestamp, or a duration in seconds.
func (c *Ctx) GetSeconds(args ...Val) Val {
	return c.part(args, time.Time.Second, func(d time.Duration) int64 { return int64(d.Seconds()) })
}

// GetMilliseconds is the thousandths of a timestamp's second, or a duration in them.
func (c *Ctx) GetMilliseconds(args ...Val) Val {
	return c.part(args, func(t time.Time) int { return t.Nanosecond() / 1e6 }, time.Duration.Milliseconds)
}
