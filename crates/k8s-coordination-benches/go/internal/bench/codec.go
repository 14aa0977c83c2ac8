package bench

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// NewCodec returns the codec with which a typed client of client-go reads and writes objects of a version.
func NewCodec(scheme *runtime.Scheme, mediaType string, version schema.GroupVersion) (runtime.Codec, error) {
	codecs := serializer.NewCodecFactory(scheme).WithoutConversion()
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	if !ok {
		return nil, fmt.Errorf("no serializer for %s", mediaType)
	}
	encoder := codecs.EncoderForVersion(info.Serializer, version)
	return runtime.NewCodec(encoder, codecs.DecoderToVersion(info.Serializer, version)), nil
}
