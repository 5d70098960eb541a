package govalidate

import "github.com/contractkit/contractkit/runtime/contract"

func integral(text string) bool { return contract.IsIntegral([]byte(text)) }
