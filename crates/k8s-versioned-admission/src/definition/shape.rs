//! The form of a definition as in the types of the server: the fields and their types.
//!
//! The fields are in the order of the server's internal types, which messages show.

/// The type of a field. `null` is always the same as an absent field.
#[derive(Debug)]
pub(super) enum Shape {
    /// A text; empty if absent.
    Text,
    /// A text that can be absent.
    OptionalText,
    /// `true` or `false`; false if absent.
    Flag,
    /// `true`, `false`, or absent.
    OptionalFlag,
    /// A whole number of 32 or 64 bits.
    Integer(u8),
    /// A number.
    Number,
    /// Bytes in base64.
    Bytes,
    /// Any value.
    Any,
    List(&'static Shape),
    Map(&'static Shape),
    Struct(&'static Struct),
    Schema,
    /// A schema, `true` or `false`.
    SchemaOrFlag,
    /// A schema, or a list of schemas.
    SchemaOrList,
    /// A schema, or a list of texts.
    SchemaOrTexts,
}

/// A type of the server.
#[derive(Debug)]
pub(super) struct Struct {
    /// Its name in Go.
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

/// A field of a [`Struct`].
#[derive(Debug)]
pub(super) struct Field {
    /// Its name in JSON.
    pub(super) name: &'static str,
    /// Its name in messages; empty if it is not a field of the internal type.
    pub(super) go: &'static str,
    pub(super) shape: Shape,
}

const fn field(name: &'static str, go: &'static str, shape: Shape) -> Field {
    Field { name, go, shape }
}

const TEXTS: Shape = Shape::List(&Shape::Text);
const SCHEMAS: Shape = Shape::List(&Shape::Schema);
const SCHEMA_MAP: Shape = Shape::Map(&Shape::Schema);

/// A CustomResourceDefinition. Its metadata has its own rules; the server writes its status.
pub(super) static DEFINITION: Struct = Struct {
    name: "CustomResourceDefinition",
    fields: &[
        field("apiVersion", "", Shape::Text),
        field("kind", "", Shape::Text),
        field("metadata", "", Shape::Any),
        field("spec", "Spec", Shape::Struct(&SPEC)),
        field("status", "", Shape::Any),
    ],
};

static SPEC: Struct = Struct {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        field("group", "Group", Shape::Text),
        field("names", "Names", Shape::Struct(&NAMES)),
        field("scope", "Scope", Shape::Text),
        field("versions", "Versions", Shape::List(&Shape::Struct(&VERSION))),
        field("conversion", "Conversion", Shape::Struct(&CONVERSION)),
        field("preserveUnknownFields", "PreserveUnknownFields", Shape::Flag),
    ],
};

static NAMES: Struct = Struct {
    name: "CustomResourceDefinitionNames",
    fields: &[
        field("plural", "Plural", Shape::Text),
        field("singular", "Singular", Shape::Text),
        field("shortNames", "ShortNames", TEXTS),
        field("kind", "Kind", Shape::Text),
        field("listKind", "ListKind", Shape::Text),
        field("categories", "Categories", TEXTS),
    ],
};

/// A version of a definition.
pub(super) static VERSION: Struct = Struct {
    name: "CustomResourceDefinitionVersion",
    fields: &[
        field("name", "Name", Shape::Text),
        field("served", "Served", Shape::Flag),
        field("storage", "Storage", Shape::Flag),
        field("deprecated", "Deprecated", Shape::Flag),
        field("deprecationWarning", "DeprecationWarning", Shape::OptionalText),
        field("schema", "Schema", Shape::Struct(&VALIDATION)),
        field("subresources", "Subresources", Shape::Struct(&SUBRESOURCES)),
        field(
            "additionalPrinterColumns",
            "AdditionalPrinterColumns",
            Shape::List(&Shape::Struct(&COLUMN)),
        ),
        field(
            "selectableFields",
            "SelectableFields",
            Shape::List(&Shape::Struct(&SELECTABLE_FIELD)),
        ),
    ],
};

static VALIDATION: Struct = Struct {
    name: "CustomResourceValidation",
    fields: &[field("openAPIV3Schema", "OpenAPIV3Schema", Shape::Schema)],
};

static SUBRESOURCES: Struct = Struct {
    name: "CustomResourceSubresources",
    fields: &[
        field(
            "status",
            "Status",
            Shape::Struct(&Struct { name: "CustomResourceSubresourceStatus", fields: &[] }),
        ),
        field("scale", "Scale", Shape::Struct(&SCALE)),
    ],
};

static SCALE: Struct = Struct {
    name: "CustomResourceSubresourceScale",
    fields: &[
        field("specReplicasPath", "SpecReplicasPath", Shape::Text),
        field("statusReplicasPath", "StatusReplicasPath", Shape::Text),
        field("labelSelectorPath", "LabelSelectorPath", Shape::OptionalText),
    ],
};

static COLUMN: Struct = Struct {
    name: "CustomResourceColumnDefinition",
    fields: &[
        field("name", "Name", Shape::Text),
        field("type", "Type", Shape::Text),
        field("format", "Format", Shape::Text),
        field("description", "Description", Shape::Text),
        field("priority", "Priority", Shape::Integer(32)),
        field("jsonPath", "JSONPath", Shape::Text),
    ],
};

static SELECTABLE_FIELD: Struct =
    Struct { name: "SelectableField", fields: &[field("jsonPath", "JSONPath", Shape::Text)] };

static CONVERSION: Struct = Struct {
    name: "CustomResourceConversion",
    fields: &[
        field("strategy", "Strategy", Shape::Text),
        field("webhook", "WebhookClientConfig", Shape::Struct(&WEBHOOK)),
    ],
};

static WEBHOOK: Struct = Struct {
    name: "WebhookConversion",
    fields: &[
        field("clientConfig", "", Shape::Struct(&CLIENT_CONFIG)),
        field("conversionReviewVersions", "", TEXTS),
    ],
};

static CLIENT_CONFIG: Struct = Struct {
    name: "WebhookClientConfig",
    fields: &[
        field("url", "URL", Shape::OptionalText),
        field("service", "Service", Shape::Struct(&SERVICE)),
        field("caBundle", "CABundle", Shape::Bytes),
    ],
};

static SERVICE: Struct = Struct {
    name: "ServiceReference",
    fields: &[
        field("namespace", "Namespace", Shape::Text),
        field("name", "Name", Shape::Text),
        field("path", "Path", Shape::OptionalText),
        field("port", "Port", Shape::Integer(32)),
    ],
};

/// A schema.
pub(super) static JSON_SCHEMA: Struct = Struct {
    name: "JSONSchemaProps",
    fields: &[
        field("id", "ID", Shape::Text),
        field("$schema", "Schema", Shape::Text),
        field("$ref", "Ref", Shape::OptionalText),
        field("description", "Description", Shape::Text),
        field("type", "Type", Shape::Text),
        field("nullable", "Nullable", Shape::Flag),
        field("format", "Format", Shape::Text),
        field("title", "Title", Shape::Text),
        field("default", "Default", Shape::Any),
        field("maximum", "Maximum", Shape::Number),
        field("exclusiveMaximum", "ExclusiveMaximum", Shape::Flag),
        field("minimum", "Minimum", Shape::Number),
        field("exclusiveMinimum", "ExclusiveMinimum", Shape::Flag),
        field("maxLength", "MaxLength", Shape::Integer(64)),
        field("minLength", "MinLength", Shape::Integer(64)),
        field("pattern", "Pattern", Shape::Text),
        field("maxItems", "MaxItems", Shape::Integer(64)),
        field("minItems", "MinItems", Shape::Integer(64)),
        field("uniqueItems", "UniqueItems", Shape::Flag),
        field("multipleOf", "MultipleOf", Shape::Number),
        field("enum", "Enum", Shape::List(&Shape::Any)),
        field("maxProperties", "MaxProperties", Shape::Integer(64)),
        field("minProperties", "MinProperties", Shape::Integer(64)),
        field("required", "Required", TEXTS),
        field("items", "Items", Shape::SchemaOrList),
        field("allOf", "AllOf", SCHEMAS),
        field("oneOf", "OneOf", SCHEMAS),
        field("anyOf", "AnyOf", SCHEMAS),
        field("not", "Not", Shape::Schema),
        field("properties", "Properties", SCHEMA_MAP),
        field("additionalProperties", "AdditionalProperties", Shape::SchemaOrFlag),
        field("patternProperties", "PatternProperties", SCHEMA_MAP),
        field("dependencies", "Dependencies", Shape::Map(&Shape::SchemaOrTexts)),
        field("additionalItems", "AdditionalItems", Shape::SchemaOrFlag),
        field("definitions", "Definitions", SCHEMA_MAP),
        field("externalDocs", "ExternalDocs", Shape::Struct(&EXTERNAL_DOCS)),
        field("example", "Example", Shape::Any),
        field(
            "x-kubernetes-preserve-unknown-fields",
            "XPreserveUnknownFields",
            Shape::OptionalFlag,
        ),
        field("x-kubernetes-embedded-resource", "XEmbeddedResource", Shape::Flag),
        field("x-kubernetes-int-or-string", "XIntOrString", Shape::Flag),
        field("x-kubernetes-list-map-keys", "XListMapKeys", TEXTS),
        field("x-kubernetes-list-type", "XListType", Shape::OptionalText),
        field("x-kubernetes-map-type", "XMapType", Shape::OptionalText),
        field("x-kubernetes-validations", "XValidations", Shape::List(&Shape::Struct(&RULE))),
    ],
};

static EXTERNAL_DOCS: Struct = Struct {
    name: "ExternalDocumentation",
    fields: &[field("description", "Description", Shape::Text), field("url", "URL", Shape::Text)],
};

/// A rule of CEL.
pub(super) static RULE: Struct = Struct {
    name: "ValidationRule",
    fields: &[
        field("rule", "Rule", Shape::Text),
        field("message", "Message", Shape::Text),
        field("messageExpression", "MessageExpression", Shape::Text),
        field("reason", "Reason", Shape::OptionalText),
        field("fieldPath", "FieldPath", Shape::Text),
        field("optionalOldSelf", "OptionalOldSelf", Shape::OptionalFlag),
    ],
};
