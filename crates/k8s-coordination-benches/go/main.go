// Prints what Go's machinery for Kubernetes takes for the rows of benches/beside_go.rs, which writes the files and runs this program:
// for each row its name, a tab, and the median of the microseconds. It runs on one core; freeing memory is part of the time.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	kubernetes "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	dra "k8s.io/dynamic-resource-allocation/api/v1beta1"
)

// The number of runs of a row.
const rounds = 15

var (
	scheme      = kubernetes.NewScheme()
	decoder     = serializer.NewCodecFactory(scheme).UniversalDeserializer()
	jsonWriter  = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{})
	protoWriter = protobuf.NewSerializer(scheme, scheme)
)

func init() {
	for _, add := range []func(*kubernetes.Scheme) error{
		coordinationv1.AddToScheme, coordinationv1beta1.AddToScheme,
		resourcev1.AddToScheme, resourcev1beta1.AddToScheme, dra.AddToScheme,
	} {
		must(add(scheme))
	}
}

func main() {
	runtime.GOMAXPROCS(1)
	folder := os.Args[1]
	for _, kind := range []string{"candidates", "Leases"} {
		text, body := read(folder, kind+".json"), read(folder, kind+".pb")
		list := decode(text)
		row("decode "+kind, func() { decode(text) })
		row("encode "+kind, func() { encode(jsonWriter, list) })
		row("decode "+kind+", as protobuf", func() { decode(body) })
		row("encode "+kind+", as protobuf", func() { encode(protoWriter, list) })
	}
	text := read(folder, "claims.json")
	claims := decode(text).(*resourcev1beta1.ResourceClaimList)
	row("claims of v1beta1, from JSON to JSON of v1", func() {
		encode(jsonWriter, convert(decode(text).(*resourcev1beta1.ResourceClaimList)))
	})
	// A conversion takes parts of the old objects over, as ours does: each one gets a copy.
	row("convert claims, with the copy", func() { convert(claims.DeepCopy()) })
}

func convert(old *resourcev1beta1.ResourceClaimList) *resourcev1.ResourceClaimList {
	list := &resourcev1.ResourceClaimList{Items: make([]resourcev1.ResourceClaim, len(old.Items))}
	for i := range old.Items {
		must(scheme.Convert(&old.Items[i], &list.Items[i], nil))
	}
	list.SetGroupVersionKind(resourcev1.SchemeGroupVersion.WithKind("ResourceClaimList"))
	return list
}

func decode(data []byte) kubernetes.Object {
	object, _, err := decoder.Decode(data, nil, nil)
	must(err)
	return object
}

func encode(writer kubernetes.Encoder, object kubernetes.Object) {
	var buffer bytes.Buffer
	must(writer.Encode(object, &buffer))
}

func row(name string, work func()) {
	var times []time.Duration
	for range rounds {
		start := time.Now()
		work()
		times = append(times, time.Since(start))
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	fmt.Printf("%s\t%d\n", name, times[rounds/2].Microseconds())
}

func read(folder, name string) []byte {
	data, err := os.ReadFile(filepath.Join(folder, name))
	must(err)
	return data
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
