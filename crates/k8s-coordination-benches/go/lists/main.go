// Lists prints what reading and writing lists takes with the packages that client-go uses. Its argument is the folder that
// benches/beside_go.rs has written.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/beside/internal/bench"
)

func main() {
	bench.Main(rows)
}

func rows(folder string) error {
	scheme := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(scheme); err != nil {
		return err
	}
	if err := coordinationv1beta1.AddToScheme(scheme); err != nil {
		return err
	}
	lists := []struct {
		name    string
		version schema.GroupVersion
	}{
		{"candidates", coordinationv1beta1.SchemeGroupVersion},
		{"Leases", coordinationv1.SchemeGroupVersion},
	}
	formats := []struct {
		mediaType, extension, suffix string
	}{
		{runtime.ContentTypeJSON, ".json", ""},
		{runtime.ContentTypeProtobuf, ".pb", ", as protobuf"},
	}
	for _, list := range lists {
		for _, format := range formats {
			codec, err := bench.NewCodec(scheme, format.mediaType, list.version)
			if err != nil {
				return err
			}
			path := filepath.Join(folder, list.name+format.extension)
			if err := decodeAndEncode(codec, path, list.name+format.suffix); err != nil {
				return err
			}
		}
	}
	return nil
}

// decodeAndEncode measures both for the list in a file. An encoded list has the bytes of the file: both sides do the same work.
func decodeAndEncode(codec runtime.Codec, path, name string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	decode := func() error {
		_, err := runtime.Decode(codec, data)
		return err
	}
	if err := bench.Row("decode "+name, decode); err != nil {
		return err
	}
	list, err := runtime.Decode(codec, data)
	if err != nil {
		return err
	}
	var encoded []byte
	encode := func() (err error) {
		encoded, err = runtime.Encode(codec, list)
		return err
	}
	if err := bench.Row("encode "+name, encode); err != nil {
		return err
	}
	if !bytes.Equal(encoded, data) {
		return fmt.Errorf("%s: the encoded list differs from the file", path)
	}
	return nil
}
