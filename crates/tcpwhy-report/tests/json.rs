//! Tests of the JSON contract: outputs validate against the schema, unknown values are null, and sums add up.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod fixtures;

use expect_test::expect_file;
use jsonschema::Validator;
use serde_json::{Value, json};
use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_report::dto::{self, Document, Presentation, Record, SCHEMA, Tool};
use tcpwhy_report::{Catalogue, Language, SchemaOf, Wording};

fn document(connections: &[Connection], language: Language, with_timeline: bool) -> Value {
    serde_json::from_str(&text(connections, language, with_timeline)).unwrap()
}

fn text(connections: &[Connection], language: Language, with_timeline: bool) -> String {
    let catalogue = Catalogue::new(language);
    let presentation = Presentation { with_timeline, ..Presentation::new(Wording::new(&catalogue)) };
    let document: Document = Document {
        answer: dto::Answer::of_capture(&Folds::of(connections), presentation),
        problems: Vec::new(),
        services: Vec::new(),
        legs: Vec::new(),
        across_connections: Vec::new(),
        schema: SCHEMA.into(),
        tool: Tool::this(),
        captures: vec![dto::Capture::new(&fixtures::capture(), presentation)],
        connections: connections.iter().map(|c| dto::Connection::new(c, Some(0), presentation)).collect(),
    };
    serde_json::to_string_pretty(&document).unwrap()
}

fn all() -> Vec<Connection> {
    vec![fixtures::send_buffer(), fixtures::lossy(), fixtures::healthy(2), fixtures::unanswered(3)]
}

fn schema() -> Value {
    serde_json::from_str(&SchemaOf::Explain.text()).unwrap()
}

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).unwrap()
}

#[track_caller]
fn assert_valid(validator: &Validator, value: &Value) {
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn documents_validate() {
    let validator = validator();
    for language in Language::ALL {
        for with_timeline in [false, true] {
            assert_valid(&validator, &document(&all(), language, with_timeline));
        }
    }
    assert_valid(&validator, &document(&[], Language::English, false));
}

#[test]
fn the_schema_refuses_what_is_none_of_ours() {
    let validator = validator();
    assert!(!validator.is_valid(&json!({"schema": SCHEMA})));
    let mut other = document(&all(), Language::English, false);
    other["schema"] = json!("tcpwhy/2");
    assert!(!validator.is_valid(&other));
}

#[test]
fn lines_of_the_stream_validate() {
    let mut of_record = schema();
    for key in ["properties", "required", "type", "title", "description"] {
        of_record.as_object_mut().unwrap().remove(key);
    }
    of_record["$ref"] = json!("#/$defs/Record");
    let validator = jsonschema::validator_for(&of_record).unwrap();
    let catalogue = Catalogue::new(Language::English);
    let presentation = Presentation::new(Wording::new(&catalogue));
    let capture = Record::Capture(dto::Capture::new(&fixtures::capture(), presentation));
    let capture = serde_json::to_value(capture).unwrap();
    assert_eq!(capture["type"], "capture");
    assert_valid(&validator, &capture);
    for connection in all() {
        let record = Record::Connection(Box::new(dto::Connection::new(&connection, Some(0), presentation)));
        let record = serde_json::to_value(record).unwrap();
        assert_eq!(record["type"], "connection");
        assert_eq!(record["data"]["id"], connection.id);
        assert_valid(&validator, &record);
    }
    assert!(!validator.is_valid(&json!({"type": "other", "data": {}})));
}

#[test]
fn seconds_add_up() {
    for connection in document(&all(), Language::English, true)["connections"].as_array().unwrap() {
        for half in connection["halves"].as_array().unwrap() {
            let duration = half["span"]["duration_s"].as_f64().unwrap();
            let sum: f64 = half["limits"].as_array().unwrap().iter().map(|l| l["seconds"].as_f64().unwrap()).sum();
            assert!((sum - duration).abs() <= 1e-6, "{sum} {duration}");
            let mut at = json!(0.0);
            for interval in half["timeline"].as_array().unwrap() {
                assert_eq!(interval["start_s"], at);
                at = interval["end_s"].clone();
            }
            assert!((at.as_f64().unwrap() - duration).abs() <= 1e-6);
        }
    }
}

#[test]
fn longest_limits_come_first() {
    let document = document(&all(), Language::English, false);
    for half in document["connections"].as_array().unwrap().iter().flat_map(|c| c["halves"].as_array().unwrap()) {
        let seconds: Vec<f64> =
            half["limits"].as_array().unwrap().iter().map(|l| l["seconds"].as_f64().unwrap()).collect();
        assert!(seconds.is_sorted_by(|a, b| a >= b), "{seconds:?}");
    }
}

#[test]
fn unknown_is_null_and_the_timeline_is_there_only_when_asked_for() {
    let document = document(&[fixtures::lossy()], Language::English, false);
    let connection = &document["connections"][0];
    assert_eq!(connection["initiator"], Value::Null);
    let half = &connection["halves"][0];
    assert_eq!(half["window_shift"], Value::Null);
    assert_eq!(half["receive_window_bytes"], Value::Null);
    assert!(half.get("timeline").is_none());
    assert_eq!(connection["vantage"]["position"], "receiver-side of endpoint 0");
}

#[test]
fn golden_document() {
    let text = text(&[fixtures::send_buffer()], Language::English, true);
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    expect_file!["golden/document.json"].assert_eq(&(text + "\n"));
}

#[test]
fn words_follow_the_language() {
    let document = document(&[fixtures::send_buffer()], Language::SimplifiedChinese, false);
    let verdict = &document["connections"][0]["halves"][0]["verdict"];
    assert_eq!(verdict["limit"], "send_buffer");
    assert!(verdict["sentence"].as_str().unwrap().contains("发送缓冲区"));
}
