package migrate

func isVersion(s string) bool          { return true }
func isRange(s string) bool            { return true }
func compare(a, b string) int          { return 0 }
func satisfies(version, r string) bool { return false }
