//! The texts of a rule, and how servers print them.

use serde_json::Value as Json;

use crate::values::go;
use crate::values::text::go_quote;

/// The texts of a rule.
#[derive(Debug, Default)]
#[allow(clippy::struct_field_names, reason = "as in a definition")]
pub(crate) struct Source {
    pub(crate) rule: String,
    pub(crate) message: String,
    pub(crate) message_expression: String,
    pub(crate) reason: Option<String>,
    pub(crate) field_path: String,
    pub(crate) optional_old_self: Option<bool>,
}

impl Source {
    pub(super) fn read(rule: &Json) -> Self {
        let text =
            |field: &str| rule.get(field).and_then(Json::as_str).unwrap_or_default().to_owned();
        Self {
            rule: text("rule"),
            message: text("message"),
            message_expression: text("messageExpression"),
            reason: rule.get("reason").and_then(Json::as_str).map(str::to_owned),
            field_path: text("fieldPath"),
            optional_old_self: rule.get("optionalOldSelf").and_then(Json::as_bool),
        }
    }

    /// The rule in messages: its own message, or its text.
    pub(super) fn title(&self) -> &str {
        if self.message.is_empty() { self.rule.trim() } else { self.message.trim() }
    }

    pub(super) fn default_message(&self) -> String {
        if self.message.is_empty() {
            format!("failed rule: {}", self.title())
        } else {
            self.title().to_owned()
        }
    }

    /// The rule as Go writes JSON: `<`, `>` and `&` are escapes.
    pub(super) fn as_json(&self) -> String {
        let text = |text: &str| go::json(&text.into());
        format!(
            "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
            text(&self.rule),
            text(&self.message),
            text(&self.message_expression),
            self.reason.as_deref().map_or_else(|| "null".to_owned(), text),
            text(&self.field_path),
            self.optional_old_self.map_or_else(|| "null".to_owned(), |value| value.to_string()),
        )
    }

    /// The rule as Go prints a struct. Go prints addresses of what is set, which are not known here.
    pub(super) fn as_go(&self) -> String {
        let pointer = |is_set: bool| if is_set { "0x0" } else { "nil" };
        format!(
            "apiextensions.ValidationRule{{Rule:{}, Message:{}, MessageExpression:{}, \
             Reason:(*apiextensions.FieldValueErrorReason)({}), FieldPath:{}, OptionalOldSelf:(*bool)({})}}",
            go_quote(&self.rule),
            go_quote(&self.message),
            go_quote(&self.message_expression),
            pointer(self.reason.is_some()),
            go_quote(&self.field_path),
            pointer(self.optional_old_self.is_some()),
        )
    }
}
