// What kubectl reads in a file, by the libraries that it uses. Reads a file's text in each line of the standard input, as a JSON string;
// writes the documents of each, as a line of JSON, and the error that ended the reading. Documents that are empty are left out, and lists
// are one object for each item, as `kubectl apply` does.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

type answer struct {
	// The values of the documents.
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
	// The objects in the documents, and what is wrong with those that are none.
	Objects      []json.RawMessage `json:"objects"`
	ObjectErrors []string          `json:"objectErrors,omitempty"`
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var text string
			if err := json.Unmarshal(line, &text); err != nil {
				fail(err)
			}
			if err := encoder.Encode(read(text)); err != nil {
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

// As the StreamVisitor of k8s.io/cli-runtime does.
func read(text string) answer {
	result := answer{Documents: []json.RawMessage{}, Objects: []json.RawMessage{}}
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		raw := runtime.RawExtension{}
		if err := decoder.Decode(&raw); err != nil {
			if !errors.Is(err, io.EOF) {
				result.Error = err.Error()
			}
			return result
		}
		document := bytes.TrimSpace(raw.Raw)
		if len(document) == 0 || bytes.Equal(document, []byte("null")) {
			continue
		}
		// Go's JSON of a value, whichever way it was written.
		result.Documents = append(result.Documents, normalized(document))
		objects, err := objectsIn(document)
		if err != nil {
			result.ObjectErrors = append(result.ObjectErrors, err.Error())
		}
		result.Objects = append(result.Objects, objects...)
	}
}

func normalized(document []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		fail(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		fail(err)
	}
	return text
}

func objectsIn(document []byte) ([]json.RawMessage, error) {
	object, _, err := unstructured.UnstructuredJSONScheme.Decode(document, nil, nil)
	if err != nil {
		return nil, err
	}
	items := []runtime.Object{object}
	if meta.IsListType(object) {
		if items, err = meta.ExtractList(object); err != nil {
			return nil, err
		}
	}
	texts := []json.RawMessage{}
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return texts, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
