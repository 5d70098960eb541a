// Command network is a component that tries every way to the network, and reports
// what came of it. It is compiled for wasip1.
package main

import (
	"encoding/json"
	"net"
	"os"
	"strings"
	"time"
)

func main() {
	answers := []string{}
	try := func(name string, err error) {
		if err != nil {
			name = "error: " + err.Error()
		}
		answers = append(answers, name)
	}
	_, err := net.LookupHost("localhost")
	try("looked up", err)
	_, err = net.Dial("unix", "/var/run/docker.sock")
	try("connected", err)
	_, err = net.FileListener(os.NewFile(3, "preopened"))
	try("accepts", err)
	// Inside of one component Go's runtime plays a network of its own: a connection
	// to anything but the component itself must fail.
	_, err = net.DialTimeout("tcp", os.Getenv("TARGET"), time.Second)
	try("connected", err)
	for _, name := range strings.Fields(os.Getenv("FILES")) {
		f, err := os.OpenFile("/dev/tcp/"+name, os.O_RDWR, 0)
		if err != nil {
			try("", err)
			continue
		}
		_, err = f.WriteString("ping\n")
		reply := make([]byte, 64)
		n := 0
		if err == nil {
			n, err = f.Read(reply)
		}
		try(string(reply[:n]), err)
		f.Close()
	}
	data, _ := json.Marshal(answers)
	os.Stdout.Write(append([]byte(`{"success":true,"data":{"answers":`), append(data, "}}"...)...))
}
