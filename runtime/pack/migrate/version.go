package migrate

import "github.com/contractkit/contractkit/runtime/pack/semrange"

func isVersion(s string) bool {
	_, err := semrange.ParseVersion(s)
	return err == nil
}

func isRange(s string) bool {
	_, err := semrange.ParseRange(s)
	return err == nil
}

// compare orders versions by precedence; both must be versions.
func compare(a, b string) int { return mustVersion(a).Compare(mustVersion(b)) }

func satisfies(version, text string) bool {
	r, err := semrange.ParseRange(text)
	return err == nil && r.Contains(mustVersion(version))
}

func mustVersion(s string) semrange.Version {
	v, err := semrange.ParseVersion(s)
	if err != nil {
		panic("migrate: " + err.Error())
	}
	return v
}
