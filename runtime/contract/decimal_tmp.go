package contract

func IsIntegral(text []byte) bool { return true }
