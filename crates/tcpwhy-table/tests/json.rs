//! Columns equal the JSON keys of the same name, for the same connections.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use serde_json::{Value, json};
use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_capture::{CaptureReader, CaptureSummary};
use tcpwhy_engine::{Delivery, Plan, Source, run};
use tcpwhy_report::dto::{self, Presentation};
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_table::{CaptureRecord, Content, TableKind, Tables, arrow_array, arrow_schema};

const NAME: &str = "a capture";

/// A row: values by column.
type Row = BTreeMap<String, Value>;

fn rows(batch: &RecordBatch) -> Vec<Row> {
    let row = |index| {
        let cell = |(field, column): (&arrow_schema::FieldRef, &arrow_array::ArrayRef)| {
            (field.name().clone(), cell(column.as_ref(), index))
        };
        batch.schema().fields().iter().zip(batch.columns()).map(cell).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn cell(column: &dyn Array, index: usize) -> Value {
    if column.is_null(index) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Boolean => json!(column.as_boolean().value(index)),
        DataType::Utf8 => json!(column.as_string::<i32>().value(index)),
        DataType::Float64 => json!(column.as_primitive::<Float64Type>().value(index)),
        DataType::Int8 => json!(column.as_primitive::<Int8Type>().value(index)),
        DataType::Int16 => json!(column.as_primitive::<Int16Type>().value(index)),
        DataType::Int32 => json!(column.as_primitive::<Int32Type>().value(index)),
        DataType::Int64 => json!(column.as_primitive::<Int64Type>().value(index)),
        DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) if &**zone == "UTC" => {
            json!(column.as_primitive::<TimestampMicrosecondType>().value(index))
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(index);
            (0..list.len()).map(|index| cell(list.as_ref(), index)).collect()
        }
        other => panic!("readers may not know {other}"),
    }
}

/// Results of a capture in both formats.
struct Both {
    json: Vec<Value>,
    services: Vec<Value>,
    problems: Vec<Value>,
    exchanges: Vec<(u64, Value)>,
    capture: Value,
    tables: BTreeMap<&'static str, Vec<Row>>,
}

fn both(path: &Path) -> Option<Both> {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let presentation = Presentation { with_timeline: true, ..Presentation::new(wording) };
    let mut tables = Tables::new(Content { wording, has_words: true, has_intervals: true });
    let source = Source::open(0, None, |_| CaptureReader::open_as(path, NAME)).ok()?;
    let plan = Plan { keeps_exchanges: true, ..Plan::default() };
    let mut folds = Folds::default();
    let mut connections: Vec<Connection> = Vec::new();
    let outcome = run(source, Delivery::Numbered, &plan, &mut |_| (), &mut |connection, number| {
        folds.add(&connection);
        tables.connection(NAME, &connection);
        assert_eq!(number, Some(connection.id));
        connections.push(connection);
        Ok(())
    });
    let outcome = outcome.unwrap();
    let summary: &CaptureSummary = outcome.ending.summaries.first().unwrap();
    let record = CaptureRecord {
        capture: NAME,
        summary: Some(summary),
        connections: Some(outcome.connections),
        ..CaptureRecord::default()
    };
    tables.end_capture(&record);
    tables.end_part();
    let taken = TableKind::ALL.map(|kind| {
        let batch = tables.take(kind).unwrap();
        assert_eq!(batch.schema(), kind.schema());
        (kind.name(), rows(&batch))
    });
    let to_json =
        |connection: &Connection| serde_json::to_value(dto::Connection::new(connection, Some(0), presentation));
    let exchanges = connections.iter().flat_map(|connection| {
        let timed = connection.exchanges.as_deref().filter(|exchanges| exchanges.has_times());
        let mut all: Vec<_> = timed.iter().flat_map(|exchanges| &exchanges.slowest).collect();
        all.sort_by_key(|exchange| exchange.request_packet);
        let packet = connection.first_packet;
        all.into_iter().map(move |exchange| (packet, serde_json::to_value(dto::Exchange::new(exchange)).unwrap()))
    });
    let values = |all: Value| all.as_array().unwrap().clone();
    Some(Both {
        json: connections.iter().map(|connection| to_json(connection).unwrap()).collect(),
        services: values(serde_json::to_value(dto::Service::all(&folds.services)).unwrap()),
        problems: values(serde_json::to_value(dto::Problem::all(&folds, presentation)).unwrap()),
        exchanges: exchanges.collect(),
        capture: serde_json::to_value(dto::Capture::new(summary, presentation)).unwrap(),
        tables: taken.into(),
    })
}

/// A column, and the JSON pointer of the equal value.
type Same = (&'static str, &'static str);

/// Compares `row` with the values at `pointers` in `value`. Columns in `apart` are compared elsewhere or are
/// not in JSON. A column in neither list fails the test.
#[track_caller]
fn compare(row: &Row, value: &Value, pointers: &[Same], apart: &[&str]) {
    for (column, cell) in row {
        if let Some((_, pointer)) = pointers.iter().find(|same| same.0 == column) {
            let other = value.pointer(pointer).unwrap_or(&Value::Null);
            assert!(is_same(cell, other), "{column}: {cell} is not {pointer} {other}");
        } else if !apart.contains(&column.as_str()) {
            let other = value.get(column).unwrap_or(&Value::Null);
            assert!(is_same(cell, other), "{column}: {cell} is not {other} in {value}");
        }
    }
}

/// The columns of an answer.
const ANSWER: [Same; 12] = [
    ("answer_kind", "/answer/kind"),
    ("answer_cause", "/answer/cause"),
    ("answer_detail", "/answer/detail"),
    ("answer_seconds", "/answer/seconds"),
    ("answer_whole", "/answer/whole"),
    ("answer_of_seconds", "/answer/of_seconds"),
    ("answer_severity", "/answer/severity"),
    ("answer_confidence", "/answer/confidence"),
    ("answer_readiness", "/answer/readiness"),
    ("answer_fix_id", "/answer/fix_id"),
    ("answer_why", "/answer/why"),
    ("answer_fix", "/answer/fix"),
];

fn is_same(cell: &Value, other: &Value) -> bool {
    match (cell.as_f64(), other.as_f64()) {
        (Some(a), Some(b)) => a.to_bits() == b.to_bits(),
        _ => cell == other,
    }
}

/// Times equal the nanoseconds column, truncated to microseconds.
fn check_moment(row: &Row) {
    let (cut, exact) = (row["start"].as_i64(), row["start_ns"].as_i64());
    assert_eq!(cut, exact.map(|nanos| nanos.div_euclid(1000)));
}

fn of<'a>(table: &'a [Row], packet: &Value, sender: Option<&Value>) -> Vec<&'a Row> {
    let is_of = |row: &&Row| &row["first_packet"] == packet && sender.is_none_or(|sender| &row["sender"] == sender);
    table.iter().filter(is_of).collect()
}

fn check(path: &Path) {
    let Some(Both { json, services, problems, exchanges, capture, tables }) = both(path) else { return };
    for (_, row) in tables.iter().flat_map(|(name, rows)| rows.iter().map(move |row| (name, row))) {
        assert!(row.get("capture").is_none_or(|name| name == NAME));
    }
    let table = |name: &str| &tables[name][..];
    let none = Value::Null;

    let row = &table("captures")[0];
    let apart = ["capture", "status", "error", "connections", "anomalies", "tool_version", "start", "wrong_clock"];
    compare(row, &capture, &[], &apart);
    let is_wrong = |connection: &&Value| connection["has_wrong_clock"] == true;
    assert_eq!(row["wrong_clock"], json.iter().filter(is_wrong).count());
    assert_eq!(row["status"], capture["status"]);
    // JSON has an error only if nothing could be read; a table also describes damage.
    let texts: Vec<_> = capture["anomalies"].as_array().unwrap().iter().map(|anomaly| &anomaly["text"]).collect();
    match capture["status"].as_str() {
        Some("failed") => assert_eq!(row["error"], capture["error"]["text"]),
        Some("damaged") => assert!(texts.contains(&&row["error"]), "{}", row["error"]),
        _ => assert!(row["error"].is_null()),
    }
    check_moment(row);
    assert_eq!(row["connections"], json!(json.len()));
    let kinds: Vec<_> =
        capture["anomalies"].as_array().unwrap().iter().map(|anomaly| anomaly["kind"].clone()).collect();
    assert_eq!(row["anomalies"], json!(kinds));

    assert_eq!(table("connections").len(), json.len());
    for connection in &json {
        let packet = &connection["first_packet"];
        let [row] = of(table("connections"), packet, None)[..] else { panic!("{packet}: one row") };
        compare_connection(row, connection);
        let halves = connection["halves"].as_array().unwrap();
        assert_eq!(of(table("halves"), packet, None).len(), halves.len());
        let findings = |value: &Value| value["findings"].as_array().unwrap().clone();
        let mut all: Vec<(Value, Value)> =
            findings(connection).into_iter().map(|found| (none.clone(), found)).collect();
        for half in halves {
            all.extend(findings(half).into_iter().map(|found| (half["sender"].clone(), found)));
            compare_half(&tables, packet, half);
        }
        compare_findings(&tables, packet, &all);
    }

    assert_eq!(table("services").len(), services.len());
    for (row, service) in table("services").iter().zip(&services) {
        compare_service(row, service);
    }
    assert_eq!(table("problems").len(), problems.len());
    for (index, (row, problem)) in table("problems").iter().zip(&problems).enumerate() {
        let pointers = [
            ("least_bytes", "/bytes/0"),
            ("most_bytes", "/bytes/1"),
            ("shortest_s", "/lasted_s/0"),
            ("longest_s", "/lasted_s/1"),
        ];
        let pointers = [&pointers[..], &ANSWER].concat();
        compare(row, problem, &pointers, &["capture", "problem", "start", "example_first_packet"]);
        check_moment(row);
        assert_eq!(row["problem"], json!(index + 1));
        let example = json.iter().find(|connection| connection["id"] == problem["example"]).unwrap();
        assert_eq!(row["example_first_packet"], example["first_packet"]);
    }
    assert_eq!(table("exchanges").len(), exchanges.len());
    let place = |row: &&Row| (row["first_packet"].as_u64(), row["request_packet"].as_u64());
    let mut rows: Vec<&Row> = table("exchanges").iter().collect();
    rows.sort_by_key(place);
    let mut exchanges = exchanges;
    exchanges.sort_by_key(|(packet, exchange)| (*packet, exchange["request_packet"].as_u64()));
    for (row, (packet, exchange)) in rows.into_iter().zip(exchanges) {
        let pointers = [("limit", "/limits/0/limit"), ("detail", "/limits/0/detail"), ("limit_s", "/limits/0/seconds")];
        compare(row, &exchange, &pointers, &["capture", "first_packet", "start"]);
        check_moment(row);
        assert_eq!(row["first_packet"], json!(packet));
    }
}

fn compare_connection(row: &Row, connection: &Value) {
    let main = connection["halves"].as_array().unwrap().iter().find(|half| half["sender"] == row["main_half"]);
    assert_eq!(main.is_some(), !row["main_half"].is_null());
    let pointers = [
        ("address_0", "/endpoints/0/address"),
        ("port_0", "/endpoints/0/port"),
        ("address_1", "/endpoints/1/address"),
        ("port_1", "/endpoints/1/port"),
        ("packets_0", "/packets/0"),
        ("packets_1", "/packets/1"),
        ("vantage_endpoint", "/vantage/endpoint"),
        ("vantage_basis", "/vantage/basis"),
        ("pattern", "/exchanges/pattern"),
        ("exchanges", "/exchanges/count"),
        ("server_s", "/exchanges/parts/server_s"),
        ("client_s", "/exchanges/parts/client_s"),
    ];
    let apart = [
        "capture",
        "start",
        "server",
        "vantage",
        "bytes",
        "main_half",
        "limit",
        "detail",
        "confidence",
        "limit_s",
        "saving_s",
        "failure",
        "failed",
        "server_port",
        "mostly_waited",
        "has_wrong_clock",
    ];
    compare(row, connection, &[&pointers[..], &ANSWER].concat(), &apart);
    check_moment(row);
    let server = row["server"].as_u64().unwrap();
    assert_eq!(row["server_port"], row[&format!("port_{server}")]);
    assert_eq!(row["mostly_waited"].is_null(), main.is_none());
    assert_eq!(row["has_wrong_clock"], json!(connection["has_wrong_clock"] == true));
    if matches!(row["ending"].as_str(), Some("unanswered" | "refused")) || !row["failure"].is_null() {
        assert!(!row["failed"].is_null(), "{row:?}");
    }
    let position = connection["vantage"]["position"].as_str().unwrap();
    assert!(position.starts_with(row["vantage"].as_str().unwrap()), "{position}");
    let bytes: u64 = connection["halves"].as_array().unwrap().iter().filter_map(|half| half["bytes"].as_u64()).sum();
    assert_eq!(row["bytes"], json!(bytes));
    let verdict = main.map_or(Value::Null, |half| half["verdict"].clone());
    for (column, key) in
        [("limit", "limit"), ("detail", "detail"), ("confidence", "confidence"), ("limit_s", "seconds")]
    {
        assert!(is_same(&row[column], verdict.get(key).unwrap_or(&Value::Null)), "{column}");
    }
}

fn compare_half(tables: &BTreeMap<&str, Vec<Row>>, packet: &Value, half: &Value) {
    let sender = &half["sender"];
    let [row] = of(&tables["halves"], packet, Some(sender))[..] else { panic!("{packet}: one row") };
    let pointers = [
        ("start_ns", "/span/start_ns"),
        ("duration_s", "/span/duration_s"),
        ("rtt_min_us", "/rtt_us/min"),
        ("rtt_median_us", "/rtt_us/median"),
        ("rtt_p95_us", "/rtt_us/p95"),
        ("rtt_max_us", "/rtt_us/max"),
        ("rtt_basis", "/rtt_us/basis"),
        ("flight_median_bytes", "/flight_bytes/median"),
        ("flight_p95_bytes", "/flight_bytes/p95"),
        ("flight_max_bytes", "/flight_bytes/max"),
        ("window_min_bytes", "/receive_window_bytes/min"),
        ("window_median_bytes", "/receive_window_bytes/median"),
        ("window_max_bytes", "/receive_window_bytes/max"),
        ("limit", "/verdict/limit"),
        ("detail", "/verdict/detail"),
        ("confidence", "/verdict/confidence"),
        ("limit_s", "/verdict/seconds"),
        ("severity", "/verdict/severity"),
        ("alternative", "/verdict/alternative"),
        ("reason", "/verdict/reason"),
        ("sentence", "/verdict/sentence"),
    ];
    compare(row, half, &pointers, &["capture", "first_packet", "start", "vantage", "path_rate_bits_per_s"]);
    check_moment(row);

    let limits = of(&tables["limits"], packet, Some(sender));
    let shares = half["limits"].as_array().unwrap();
    assert_eq!(limits.len(), shares.len());
    for (row, share) in limits.iter().zip(shares) {
        compare(row, share, &[], &["capture", "first_packet", "sender"]);
    }
    let nanos = |row: &&Row| (row["seconds"].as_f64().unwrap() * 1e9).round() as i64;
    let all: i64 = limits.iter().map(nanos).sum();
    assert_eq!(all, (row["duration_s"].as_f64().unwrap() * 1e9).round() as i64, "seconds add up to a nanosecond");

    let intervals = of(&tables["intervals"], packet, Some(sender));
    let timeline = half["timeline"].as_array().unwrap();
    assert_eq!(intervals.len(), timeline.len());
    let origin = intervals.first().map(|row| row["start_ns"].as_i64().unwrap());
    for (row, interval) in intervals.into_iter().zip(timeline) {
        compare(
            row,
            interval,
            &[("reason", "/evidence/reason")],
            &["capture", "first_packet", "sender", "start", "start_ns", "duration_s"],
        );
        check_moment(row);
        let start = (row["start_ns"].as_i64().unwrap() - origin.unwrap()) as f64 / 1e9;
        assert!(is_same(&json!(start), &interval["start_s"]));
    }
}

fn compare_findings(tables: &BTreeMap<&str, Vec<Row>>, packet: &Value, all: &[(Value, Value)]) {
    let rows = of(&tables["findings"], packet, None);
    assert_eq!(rows.len(), all.len());
    for (index, (row, (sender, finding))) in rows.into_iter().zip(all).enumerate() {
        let pointers = [
            ("predicted_low_s", "/prediction/seconds/low"),
            ("predicted_s", "/prediction/seconds/value"),
            ("predicted_high_s", "/prediction/seconds/high"),
            ("claim", "/prediction/claim"),
            ("next_limit", "/prediction/next_limit"),
            ("ceiling", "/prediction/ceiling"),
            ("method", "/prediction/method"),
            ("closeness", "/prediction/fit/closeness"),
        ];
        compare(row, finding, &pointers, &["capture", "first_packet", "sender", "finding", "fixes"]);
        assert_eq!((&row["sender"], &row["finding"]), (sender, &json!(index)));
        let fixes = finding["fixes"].as_array().unwrap();
        assert_eq!(row["fixes"], fixes.iter().map(|fix| fix["id"].clone()).collect::<Value>());
        for fix in fixes {
            let [known] = tables["fixes"].iter().filter(|row| row["fix"] == fix["id"]).collect::<Vec<_>>()[..] else {
                panic!("{fix}: one row")
            };
            assert_eq!((&known["text"], &known["place"]), (&fix["text"], &fix["where"]));
        }
        let evidence: Vec<_> =
            of(&tables["evidence"], packet, None).into_iter().filter(|row| row["finding"] == json!(index)).collect();
        let told = finding["evidence"].as_array().unwrap();
        assert_eq!(evidence.len(), told.len());
        for (row, told) in evidence.into_iter().zip(told) {
            compare(row, told, &[], &["capture", "first_packet", "sender", "finding", "value", "word"]);
            let value = match &told["value"] {
                Value::Bool(flag) => json!(f64::from(u8::from(*flag))),
                Value::String(word) => json!(word),
                other => other.clone(),
            };
            let cell = if row["value"].is_null() { &row["word"] } else { &row["value"] };
            assert!(is_same(cell, &value), "{}: {cell} is not {value}", row["name"]);
        }
    }
}

fn compare_service(row: &Row, service: &Value) {
    let failures = [
        "unanswered",
        "refused",
        "reset_by_client",
        "reset_by_server",
        "reset_between",
        "timed_out",
        "unfinished",
        "request_unanswered",
        "idle_close",
        "handshake_incomplete",
        "large_vanished",
    ];
    let pointers = [
        ("connection_median_s", "/connection_s/median"),
        ("connection_p95_s", "/connection_s/p95"),
        ("connection_max_s", "/connection_s/max"),
        ("exchange_median_s", "/exchange_s/median"),
        ("exchange_p95_s", "/exchange_s/p95"),
        ("exchange_max_s", "/exchange_s/max"),
        ("response_median_s", "/response_s/median"),
        ("response_p95_s", "/response_s/p95"),
        ("response_max_s", "/response_s/max"),
        ("client_s", "/parts/client_s"),
        ("server_s", "/parts/server_s"),
        ("server_pauses_s", "/parts/server_pauses_s"),
        ("round_trips_s", "/parts/round_trips_s"),
        ("requests_s", "/parts/requests_s"),
        ("answers_s", "/parts/answers_s"),
        ("retransmission_s", "/parts/retransmission_s"),
        ("limit", "/limits/0/limit"),
        ("limit_s", "/limits/0/seconds"),
    ];
    let apart: Vec<_> = failures.into_iter().chain(["capture"]).collect();
    compare(row, service, &pointers, &apart);
    let told = service["failures"].as_array().unwrap();
    for kind in failures {
        let count = told.iter().find(|failure| failure["kind"] == kind).map_or(json!(0), |f| f["connections"].clone());
        assert_eq!(row[kind], count, "{kind}");
    }
}

fn captures(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(captures(&path));
        } else if path.to_string_lossy().contains(".pcap") || path.extension().is_some_and(|end| end == "cap") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn tables_say_what_json_says_of_every_sample() {
    let samples = captures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    assert!(samples.len() >= 16, "{}", samples.len());
    for path in &samples {
        check(path);
    }
}

/// The same for every capture below the folder `TCPWHY_CAPTURES`.
#[test]
#[ignore = "needs captures of one's own"]
fn tables_say_what_json_says_of_captures_at_hand() {
    let folder = std::env::var_os("TCPWHY_CAPTURES").expect("TCPWHY_CAPTURES names a folder");
    for path in captures(Path::new(&folder)) {
        eprintln!("{}", path.display());
        check(&path);
    }
}

/// The rows of a table do not depend on which other tables are collected.
#[test]
fn tables_do_not_need_each_other() {
    let catalogue = Catalogue::new(Language::English);
    let content = Content { wording: Wording::new(&catalogue), has_words: true, has_intervals: true };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
    let source = Source::Single(Box::new(CaptureReader::open(&sample).unwrap()));
    let mut connections = Vec::new();
    run(source, Delivery::Numbered, &Plan::default(), &mut |_| (), &mut |connection, _| {
        connections.push(connection);
        Ok(())
    })
    .unwrap();
    let all_of = |mut tables: Tables<'_>| {
        for connection in &connections {
            tables.connection(NAME, connection);
        }
        tables.end_capture(&CaptureRecord { capture: NAME, ..CaptureRecord::default() });
        tables.end_part();
        TableKind::ALL.map(|kind| tables.take(kind).unwrap())
    };
    let together = all_of(Tables::new(content));
    for (index, kind) in TableKind::ALL.into_iter().enumerate() {
        let alone = all_of(Tables::new(content).only(&[kind]));
        assert_eq!(alone[index], together[index], "{kind:?}");
        assert!(together[index].num_rows() > 0, "{kind:?}");
        assert_eq!(alone.iter().map(RecordBatch::num_rows).sum::<usize>(), together[index].num_rows());
    }
}
