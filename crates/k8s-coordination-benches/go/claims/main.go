// Claims prints what converting claims from v1beta1 to v1 takes with the conversions of Kubernetes. Its argument is the folder that
// benches/beside_go.rs has written.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	conversions "k8s.io/dynamic-resource-allocation/api/v1beta1"

	"example.com/beside/internal/bench"
)

func main() {
	bench.Main(rows)
}

func rows(folder string) error {
	data, err := os.ReadFile(filepath.Join(folder, "claims.json"))
	if err != nil {
		return err
	}
	expected, err := os.ReadFile(filepath.Join(folder, "claims.v1.json"))
	if err != nil {
		return err
	}
	converter, err := newConverter()
	if err != nil {
		return err
	}
	var encoded []byte
	fromJSONToJSON := func() (err error) {
		encoded, err = converter.fromJSONToJSON(data)
		return err
	}
	if err := bench.Row("claims of v1beta1, from JSON to JSON of v1", fromJSONToJSON); err != nil {
		return err
	}
	// The order of the fields differs.
	if ours, theirs := len(expected), len(bytes.TrimSpace(encoded)); ours != theirs {
		return fmt.Errorf("the converted claims have %d bytes, and claims.v1.json %d", theirs, ours)
	}
	claims, err := converter.decode(data)
	if err != nil {
		return err
	}
	// A conversion takes parts of the old objects over, as ours does: each run gets a copy.
	return bench.Row("convert claims, with the copy", func() error {
		_, err := converter.convert(claims.DeepCopy())
		return err
	})
}

// converter converts claims from v1beta1 to v1.
type converter struct {
	scheme   *runtime.Scheme
	from, to runtime.Codec
}

func newConverter() (*converter, error) {
	scheme := runtime.NewScheme()
	if err := conversions.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := resourcev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	from, err := bench.NewCodec(scheme, runtime.ContentTypeJSON, resourcev1beta1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	to, err := bench.NewCodec(scheme, runtime.ContentTypeJSON, resourcev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	return &converter{scheme, from, to}, nil
}

func (c *converter) fromJSONToJSON(data []byte) ([]byte, error) {
	claims, err := c.decode(data)
	if err != nil {
		return nil, err
	}
	converted, err := c.convert(claims)
	if err != nil {
		return nil, err
	}
	return runtime.Encode(c.to, converted)
}

func (c *converter) decode(data []byte) (*resourcev1beta1.ResourceClaimList, error) {
	object, err := runtime.Decode(c.from, data)
	if err != nil {
		return nil, err
	}
	claims, ok := object.(*resourcev1beta1.ResourceClaimList)
	if !ok {
		return nil, fmt.Errorf("claims are expected, not %T", object)
	}
	return claims, nil
}

func (c *converter) convert(claims *resourcev1beta1.ResourceClaimList) (*resourcev1.ResourceClaimList, error) {
	converted := &resourcev1.ResourceClaimList{
		ListMeta: claims.ListMeta,
		Items:    make([]resourcev1.ResourceClaim, len(claims.Items)),
	}
	for i := range claims.Items {
		if err := c.scheme.Convert(&claims.Items[i], &converted.Items[i], nil); err != nil {
			return nil, err
		}
	}
	return converted, nil
}
