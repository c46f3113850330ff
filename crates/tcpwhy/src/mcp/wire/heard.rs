//! Parses a line to a message, or to the error that answers it.
//!
//! The protocol library does not answer lines that are not JSON. It also treats a request with unreadable
//! parameters as an unknown method. So lines are validated here.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, JsonRpcMessage, RequestId};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::parameters;
use crate::message::{Failure, failure};

/// The byte order mark, which a parser may ignore (RFC 8259, section 8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The result of parsing a line.
#[derive(Debug)]
pub(super) enum Heard {
    Request {
        id: RequestId,
        is_ping: bool,
        message: Box<ClientJsonRpcMessage>,
    },
    Notification(Box<ClientJsonRpcMessage>),
    /// The error that answers it.
    Refused(Value),
    /// Needs no answer: an empty line, a response without a request, or an unknown notification.
    Nothing,
}

/// The error response to a request with this id, which is `null` if the request has none (JSON-RPC 2.0,
/// section 5).
pub(super) fn refusal(id: &Value, code: ErrorCode, why: &Failure) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.0, "message": why.to_string() } })
}

/// Parses a line.
pub(super) fn heard(line: &[u8]) -> Heard {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Heard::Nothing;
    }
    let unparsed = |why: Failure| Heard::Refused(refusal(&Value::Null, ErrorCode::PARSE_ERROR, &why));
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return unparsed(failure("mcp-not-utf8").with("n", (error.valid_up_to() as u64).to_string())),
    };
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => message(object),
        Ok(Value::Array(_)) => invalid(&Value::Null, &failure("mcp-batch")),
        Ok(_) => invalid(&Value::Null, &failure("mcp-not-a-request")),
        Err(error) => unparsed(failure("mcp-not-json").with("what", error.to_string())),
    }
}

/// The error response to an invalid request.
fn invalid(id: &Value, why: &Failure) -> Heard {
    Heard::Refused(refusal(id, ErrorCode::INVALID_REQUEST, why))
}

fn message(object: Map<String, Value>) -> Heard {
    let is_answer = !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error"));
    if is_answer {
        return Heard::Nothing;
    }
    let Some(given) = object.get("id").cloned() else { return notification(object) };
    let Ok(id) = serde_json::from_value::<RequestId>(given.clone()) else {
        let shown = if given.is_number() { given } else { Value::Null };
        return invalid(&shown, &failure("mcp-wrong-id"));
    };
    if object.get("jsonrpc") != Some(&"2.0".into()) {
        return invalid(&given, &failure("mcp-wrong-version"));
    }
    let Some(Value::String(method)) = object.get("method") else {
        return invalid(&given, &failure("mcp-not-a-request"));
    };
    let (is_ping, is_known) = (method == "ping", parameters::is_known(method));
    let unfit = |why: &Failure| Heard::Refused(refusal(&given, ErrorCode::INVALID_PARAMS, why));
    if let Some(why) = parameters::wrong(method, object.get("params")) {
        return unfit(&why);
    }
    let whole = Value::Object(object);
    match ClientJsonRpcMessage::deserialize(&whole) {
        Ok(JsonRpcMessage::Request(request)) if is_known && is_unknown(&request.request) => {
            unfit(&parameters::unread(&whole))
        }
        Ok(message @ JsonRpcMessage::Request(_)) => Heard::Request { id, is_ping, message: Box::new(message) },
        Ok(_) | Err(_) => invalid(&given, &failure("mcp-not-a-request")),
    }
}

/// Whether the library could not read the request: it then treats it as a custom method.
const fn is_unknown(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::CustomRequest(_))
}

/// Parses a notification, which is never answered, even if it is invalid.
fn notification(object: Map<String, Value>) -> Heard {
    match serde_json::from_value(Value::Object(object)) {
        Ok(message @ JsonRpcMessage::Notification(_)) => Heard::Notification(Box::new(message)),
        _ => Heard::Nothing,
    }
}

#[cfg(test)]
mod tests;
