//! Consistency of documents: numbers in different places agree, for every direction of all available
//! captures. These are the bundled samples, and the files in the folders of `TCPWHY_CAPTURES`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Seconds. JSON has nine decimals, and sums of many values lose some precision.
const ROUNDING: f64 = 1e-6;
/// Bytes, about two segments. So little data must not have a `critical` problem.
const TINY: u64 = 3_000;

/// Every file below `folder`, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// The document of `explain --json --timeline` about a file; `None` if it is not a capture.
fn explained(file: &Path) -> Option<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_tcpwhy"))
        .args(["--json", "--timeline", "--quiet", "--lang", "en"])
        .arg(file)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).ok()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(f64::NAN)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING
}

/// Sums of seconds by limit and detail.
fn by_cause(entries: &Value, seconds: impl Fn(&Value) -> f64) -> BTreeMap<(String, String), f64> {
    let mut sums = BTreeMap::new();
    for entry in entries.as_array().into_iter().flatten() {
        let key = (entry["limit"].to_string(), entry["detail"].to_string());
        *sums.entry(key).or_insert(0.0) += seconds(entry);
    }
    sums
}

/// All contradictions within a direction.
fn contradictions(half: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            found.push(what);
        }
    };
    let span = number(&half["span"], "duration_s");
    let limits = by_cause(&half["limits"], |l| number(l, "seconds"));
    let sum: f64 = limits.values().sum();
    check((sum - span).abs() <= ROUNDING * (1 + limits.len()) as f64, format!("limits add up to {sum}, not {span}"));

    for finding in half["findings"].as_array().into_iter().flatten() {
        let evidence = |name: &str| {
            let all = finding["evidence"].as_array().into_iter().flatten();
            all.filter(|e| e["name"] == name).find_map(|e| e["value"].as_f64())
        };
        let rtt = evidence("rtt_min_us").or(evidence("rtt_us"));
        for (bytes, rate) in [("plateau_bytes", "plateau_rate_bits_per_s"), ("window_bytes", "window_rate_bits_per_s")]
        {
            let (Some(bytes), Some(said), Some(rtt)) = (evidence(bytes), evidence(rate), rtt) else { continue };
            // RTTs are rounded to microseconds. Up to 6 % above the minimum, the minimum is reported instead.
            let rates = [rtt + 1.0, (rtt - 1.0) / 1.06].map(|rtt| bytes * 8e6 / rtt);
            check(
                (rates[0]..=rates[1]).contains(&said),
                format!("{rate} is {said}, from {bytes} B a round trip of {rtt} us"),
            );
        }
    }

    let verdict = &half["verdict"];
    let severity = verdict["severity"].as_str().unwrap_or_default();
    if verdict["limit"] == "none" {
        check(severity == "none", format!("nothing is worth acting on, and that is {severity}"));
    } else {
        let key = (verdict["limit"].to_string(), verdict["detail"].to_string());
        let said = number(verdict, "seconds");
        let listed = limits.get(&key).copied().unwrap_or(f64::NAN);
        check(close(said, listed), format!("the verdict says {said} s of {key:?}, limits say {listed}"));
        for related in verdict["related"].as_array().into_iter().flatten() {
            let key = (related["limit"].to_string(), related["detail"].to_string());
            let listed = limits.get(&key).copied().unwrap_or(f64::NAN);
            check(close(number(related, "seconds"), listed), format!("related {key:?} is not {listed} s"));
        }
    }

    for (of_verdict, of_direction) in
        [("flight_bytes", "flight_bytes"), ("window_bytes", "receive_window_bytes"), ("rtt_us", "rtt_us")]
    {
        if let Some(value) = verdict[of_verdict].as_f64() {
            let whole = &half[of_direction];
            let is_within = (number(whole, "min")..=number(whole, "max")).contains(&value);
            check(is_within, format!("{of_verdict} is {value} while the limit held, and in all {whole}"));
        }
    }

    if half["timeline_is_coarsened"] == false {
        let line = by_cause(&half["timeline"], |i| number(i, "end_s") - number(i, "start_s"));
        for (key, seconds) in &limits {
            let drawn = line.get(key).copied().unwrap_or(0.0);
            let rounding = ROUNDING * (1 + half["timeline"].as_array().map_or(0, Vec::len)) as f64;
            check(
                (drawn - seconds).abs() <= rounding,
                format!("the timeline has {drawn} s of {key:?}, limits {seconds}"),
            );
        }
    }

    // The first finding explains the verdict with the same numbers.
    let first = &half["findings"][0];
    if verdict["limit"] != "none" {
        for (name, of_verdict) in
            [("flight_bytes", "flight_bytes"), ("plateau_bytes", "flight_bytes"), ("rtt_us", "rtt_us")]
        {
            let evidence = first["evidence"].as_array().into_iter().flatten().find(|e| e["name"] == name);
            if let (Some(a), Some(b)) = (evidence.and_then(|e| e["value"].as_f64()), verdict[of_verdict].as_f64()) {
                let rule = &first["rule"];
                check((a - b).abs() <= 1.0 + b * 0.001, format!("{rule} has {name} {a}, the verdict {b}"));
            }
        }
    }

    let is_tiny = half["bytes"].as_u64().is_some_and(|bytes| bytes < TINY);
    for finding in half["findings"].as_array().into_iter().flatten() {
        let rule = finding["rule"].as_str().unwrap_or_default();
        let is_critical = finding["severity"] == "critical";
        check(!(is_tiny && is_critical), format!("{rule} is critical for {} bytes", half["bytes"]));
        check(!(is_critical && severity == "none"), format!("{rule} is critical where nothing held it back"));
        if let Some(seconds) = finding["seconds"].as_f64() {
            check(seconds <= span + ROUNDING, format!("{rule} costs {seconds} s of {span}"));
        }
        if rule == "request-response-turns"
            && let (Some(turns), Some(rtt)) = (evidence(finding, "turn_count"), evidence(finding, "rtt_us"))
        {
            let together = turns * rtt / 1e6;
            check(together <= span * 1.02, format!("{turns} round trips of {rtt} µs take {together} s of {span}"));
        }
        predicted(finding, span, &mut check);
    }
    found
}

/// A number in the evidence of a finding.
fn evidence(finding: &Value, name: &str) -> Option<f64> {
    let all = finding["evidence"].as_array().into_iter().flatten();
    all.filter(|e| e["name"] == name).find_map(|e| e["value"].as_f64())
}

/// Checks the prediction of a finding about `span` seconds.
fn predicted(finding: &Value, span: f64, check: &mut impl FnMut(bool, String)) {
    let (rule, prediction) = (finding["rule"].as_str().unwrap_or_default(), &finding["prediction"]);
    if !prediction.is_object() {
        return;
    }
    let low = number(&prediction["seconds"], "low");
    check(low <= span + ROUNDING, format!("{rule} predicts {low} s at least instead of {span}"));
    let is_range = prediction["claim"] == "range";
    check(is_range == prediction["seconds"]["value"].is_f64(), format!("{rule}: {prediction} is no claim"));
    if is_range {
        let [value, high] = ["value", "high"].map(|k| number(&prediction["seconds"], k));
        check(low <= value && value <= high, format!("{rule} predicts {low} to {high}, {value} most likely"));
        check(high <= low * 4.0 + ROUNDING, format!("{rule} predicts {low} to {high}: no prediction"));
        check(value <= span + ROUNDING, format!("{rule} predicts {value} s instead of {span}"));
    }
    let times = number(prediction, "times_at_most");
    check((times - span / low).abs() <= 0.01 * times, format!("{rule}: {times} times, {low} s of {span}"));
}

/// Rules about requests. They count requests per direction, so they are suppressed if the connection has
/// exchanges.
const ABOUT_REQUESTS: [&str; 4] =
    ["application-think", "application-peer-turn", "request-response-turns", "client-pauses"];

/// Findings about requests that contradict the exchanges of `connection`.
fn contradictions_of_requests(connection: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            found.push(what);
        }
    };
    let exchanges = &connection["exchanges"];
    let count = exchanges["count"].as_f64().unwrap_or_default();
    let is_about = |finding: &&Value| ABOUT_REQUESTS.iter().any(|rule| finding["rule"] == *rule);
    if count > 0.0 {
        let halves = connection["halves"].as_array().into_iter().flatten();
        let of_halves = halves.flat_map(|half| half["findings"].as_array().into_iter().flatten());
        for finding in of_halves.filter(is_about) {
            check(false, format!("{} is about a direction beside {count} exchanges", finding["rule"]));
        }
    }
    let parts = &exchanges["parts"];
    let sum = |keys: &[&str]| keys.iter().map(|key| number(parts, key)).sum::<f64>();
    let all = sum(&["client_s", "server_s", "server_pauses_s", "round_trips_s", "requests_s", "answers_s"]);
    let network = sum(&["round_trips_s", "requests_s", "answers_s"]);
    for finding in connection["findings"].as_array().into_iter().flatten().filter(is_about) {
        let rule = &finding["rule"];
        for (name, expected) in [
            ("request_count", count),
            ("server_us", sum(&["server_s", "server_pauses_s"]) * 1e6),
            ("client_us", number(parts, "client_s") * 1e6),
            ("round_trips_us", number(parts, "round_trips_s") * 1e6),
            ("network_us", network * 1e6),
            ("think_us", number(&exchanges["response_s"], "median") * 1e6),
            ("think_p95_us", number(&exchanges["response_s"], "p95") * 1e6),
            ("longest_us", number(&exchanges["response_s"], "max") * 1e6),
        ] {
            if let Some(value) = evidence(finding, name) {
                check((value - expected).abs() <= 1.0, format!("{rule} has {name} {value}, the exchanges {expected}"));
            }
        }
        predicted(finding, all, &mut check);
    }
    found
}

/// The text output about a file, without wrapped lines.
fn text_of(file: &Path) -> String {
    let command = Command::new(env!("CARGO_BIN_EXE_tcpwhy"))
        .args(["--lang", "en"])
        .env("COLUMNS", "1000")
        .arg(file)
        .output()
        .unwrap();
    String::from_utf8_lossy(&command.stdout).into_owned()
}

/// The integers directly before `word` in `text`.
fn counts_before(text: &str, word: &str) -> Vec<u64> {
    let before = text.match_indices(word).filter_map(|(at, _)| text[..at].split_whitespace().next_back());
    before.filter_map(|number| number.replace(',', "").parse().ok()).collect()
}

/// Request counts and server times in the text about a single connection that contradict its exchanges.
fn contradictions_in_text(text: &str, exchanges: &Value) -> Vec<String> {
    let Some(count) = exchanges["count"].as_u64().filter(|_| exchanges["pattern"] == "request_response") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for told in counts_before(text, " requests") {
        if told != count {
            found.push(format!("the text has {told} requests, the exchanges {count}"));
        }
    }
    let parts = text
        .lines()
        .find(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && line.contains("requests: "));
    let server = |line: &str| {
        let after = line.split_once("server took ").or_else(|| line.split_once("server "))?.1;
        let words: Vec<_> = after.split([' ', ',', ';', '.']).collect();
        let end = after.find([',', ';', '(']).unwrap_or(after.len());
        (words.len() > 1).then(|| after[..end].trim().to_owned())
    };
    let why = text.lines().find(|line| line.starts_with("WHY") && line.contains("network "));
    if let (Some(why), Some(parts)) = (why.and_then(server), parts.and_then(server))
        && why != parts
    {
        found.push(format!("the server took {why} in the first lines, {parts} in the exchanges"));
    }
    found
}

#[test]
fn no_document_contradicts_itself() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")];
    folders.extend(std::env::var_os("TCPWHY_CAPTURES").iter().flat_map(std::env::split_paths));
    let (mut directions, mut wrong, mut list) = (0, 0, String::new());
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let Some(document) = explained(&file) else { continue };
        let connections = document["connections"].as_array().unwrap();
        if let [connection] = &connections[..] {
            for what in contradictions_in_text(&text_of(&file), &connection["exchanges"]) {
                wrong += 1;
                let _ = writeln!(list, "{}: {what}", file.display());
            }
        }
        for connection in connections {
            for what in contradictions_of_requests(connection) {
                wrong += 1;
                let _ = writeln!(list, "{} connection {}: {what}", file.display(), connection["id"]);
            }
            for half in connection["halves"].as_array().unwrap() {
                directions += 1;
                let found = contradictions(half);
                wrong += usize::from(!found.is_empty());
                for what in found {
                    let _ = writeln!(
                        list,
                        "{} connection {} sender {}: {what}",
                        file.display(),
                        connection["id"],
                        half["sender"]
                    );
                }
            }
        }
    }
    assert!(directions > 20, "only {directions} directions were looked at");
    assert_eq!(wrong, 0, "{wrong} of {directions} directions contradict themselves:\n{list}");
}
