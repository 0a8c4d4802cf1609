// What the API server finds in the metadata of an object, by the library that it uses. Reads an object's metadata in each line of the
// standard input, with the rule for its name; writes the fields that are refused, as a line of JSON.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type question struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	// Names of this kind are labels of DNS, not subdomains.
	IsLabel    bool `json:"isLabel"`
	Namespaced bool `json:"namespaced"`
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := json.NewEncoder(out).Encode(refused(line)); err != nil {
				fail(err)
			}
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fail(err)
		}
	}
}

func refused(line []byte) []string {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return []string{"metadata"}
	}
	name := validation.NameIsDNSSubdomain
	if asked.IsLabel {
		name = validation.NameIsDNSLabel
	}
	fields := []string{}
	for _, found := range validation.ValidateObjectMeta(&asked.Metadata, asked.Namespaced, name, field.NewPath("metadata")) {
		fields = append(fields, found.Field)
	}
	return fields
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
