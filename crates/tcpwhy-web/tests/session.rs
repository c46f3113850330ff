//! Tests of a page's requests, with files in memory.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tcpwhy_web::{Disk, Failure, Session};

/// Files of a page.
struct Memory {
    files: Vec<Vec<u8>>,
    /// Largest number of bytes requested at once.
    largest: Mutex<usize>,
    /// Packets and connections that were last reported.
    reached: Mutex<(u64, u64)>,
}

impl Disk for Memory {
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut largest = self.largest.lock().unwrap();
        *largest = buffer.len().max(*largest);
        let rest = self.files[file].get(offset as usize..).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }

    fn reached(&self, packets: u64, connections: u64) {
        let mut reached = self.reached.lock().unwrap();
        assert!(packets >= reached.0 && connections >= reached.1, "progress never goes back");
        *reached = (packets, connections);
    }
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"))).unwrap()
}

/// A session that has explained these files, and its answer.
fn explained(files: Vec<(&str, Vec<u8>)>, is_merged: bool) -> (Session, Result<Value, Failure>) {
    let (names, files): (Vec<&str>, Vec<Vec<u8>>) = files.into_iter().unzip();
    let files_asked: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let mut session = Session::new(Arc::new(Memory { files, largest: Mutex::new(0), reached: Mutex::default() }));
    let asked = json!({ "ask": "explain", "files": files_asked, "is_merged": is_merged, "language": "en" });
    let said = session.answer(&asked.to_string()).map(|text| serde_json::from_str(&text).unwrap());
    (session, said)
}

fn ask(session: &mut Session, request: &Value) -> Result<Value, Failure> {
    session.answer(&request.to_string()).map(|text| serde_json::from_str(&text).unwrap())
}

#[test]
fn two_captures_are_compared_with_both_charts() {
    let files = vec![sample("send-buffer"), sample("receive-window")];
    let mut session = Session::new(Arc::new(Memory { files, largest: Mutex::new(0), reached: Mutex::default() }));
    let names = json!([{ "name": "before.pcap.gz" }, { "name": "after.pcap.gz" }]);
    let asked = json!({ "ask": "compare", "files": names, "language": "zh-CN" });
    let said = ask(&mut session, &asked).unwrap();
    let view = &said["view"];
    assert_eq!(said["messages"], json!([]));
    assert_eq!(view["language"], "zh-CN");
    assert_eq!(view["comparison"]["captures"], json!(["before.pcap.gz", "after.pcap.gz"]));
    let pairs = view["comparison"]["pairs"].as_array().unwrap();
    let drawn: Vec<&Value> = view["charts"].as_array().unwrap().iter().map(|chart| &chart["connection"]).collect();
    assert_eq!(pairs.len(), 1);
    for connection in pairs[0]["connections"].as_array().unwrap() {
        assert!(drawn.contains(&connection), "{connection} has no chart");
        // A request for a stretch reads the right capture.
        let query = format!("connection={connection}&from=0&to=0.1");
        let chart = ask(&mut session, &json!({ "ask": "chart", "query": query })).unwrap();
        assert_eq!(chart["chart"]["connection"], *connection);
    }
    let document = json!({ "ask": "document", "language": "en", "has_timeline": false });
    assert_eq!(ask(&mut session, &document).unwrap()["pairs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn parts_of_one_capture_are_not_compared() {
    // The second file of a ring begins at the end of the first.
    let mut whole = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&sample("send-buffer")[..]), &mut whole).unwrap();
    let [first, second] = halves(&whole);
    let files = vec![first, second];
    let mut session = Session::new(Arc::new(Memory { files, largest: Mutex::new(0), reached: Mutex::default() }));
    let asked = json!({ "ask": "compare", "files": [{ "name": "0.pcap" }, { "name": "1.pcap" }], "language": "en" });
    assert_eq!(ask(&mut session, &asked), Err(Failure::PartsOfOne));
}

/// Two captures with the first and the second half of the packets of a pcap file.
fn halves(pcap: &[u8]) -> [Vec<u8>; 2] {
    const HEADER: usize = 24;
    let mut places = vec![HEADER];
    while let Some(length) = places.last().and_then(|&at| pcap.get(at + 8..at + 12)) {
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        places.push(places.last().unwrap() + 16 + length);
    }
    let middle = places[places.len() / 2];
    [pcap[..middle].to_vec(), [&pcap[..HEADER], &pcap[middle..]].concat()]
}

#[test]
fn what_is_no_capture_is_not_compared() {
    let files = vec![sample("send-buffer"), b"GIF89a, at least".to_vec()];
    let mut session = Session::new(Arc::new(Memory { files, largest: Mutex::new(0), reached: Mutex::default() }));
    let asked = json!({ "ask": "compare", "files": [{ "name": "a" }, { "name": "b.gif" }], "language": "en" });
    let said = ask(&mut session, &asked);
    assert!(matches!(said, Err(Failure::Said(ref line)) if line.contains("b.gif")), "{said:?}");
}

#[test]
fn captures_are_explained_and_drawn() {
    let files = vec![("loss.pcap.gz", sample("loss")), ("nagle.pcap.gz", sample("nagle-delayed-ack"))];
    let (mut session, said) = explained(files, false);
    let said = said.unwrap();
    assert_eq!(said["messages"], json!([]));
    assert_eq!(said["view"]["format"], "tcpwhy-view/1");
    assert_eq!(said["view"]["overview"]["connections"], 2);
    assert_eq!(said["view"]["charts"], json!([]), "charts come when they are asked for");
    let chart = ask(&mut session, &json!({ "ask": "chart", "query": "connection=1" })).unwrap();
    assert_eq!(chart["chart"]["connection"], 1);
    let part = json!({ "ask": "chart", "query": "connection=0&from=0.5&to=0.75" });
    let part = ask(&mut session, &part).unwrap();
    assert_eq!((&part["chart"]["from_s"], &part["chart"]["to_s"]), (&json!(0.5), &json!(0.75)));
    let unknown = ask(&mut session, &json!({ "ask": "chart", "query": "connection=2" }));
    assert_eq!(unknown, Err(Failure::NoSuchConnection));
    assert!(matches!(ask(&mut session, &json!({ "ask": "chart", "query": "c=1" })), Err(Failure::Said(_))));
}

#[test]
fn documents_name_captures_and_number_connections() {
    let files = || vec![("a.gz", sample("loss")), ("b.gz", sample("loss"))];
    let request = json!({ "ask": "document", "language": "en", "has_timeline": true });
    let (mut session, _) = explained(files(), false);
    let document = ask(&mut session, &request).unwrap();
    assert_eq!(document["schema"], "tcpwhy/1");
    let connections = document["connections"].as_array().unwrap();
    let numbers: Vec<_> = connections.iter().map(|c| (c["id"].as_u64(), c["capture"].as_u64())).collect();
    assert_eq!(numbers, [(Some(0), Some(0)), (Some(1), Some(1))]);
    assert!(connections[0]["halves"][0]["timeline"].is_array());
    let (mut session, _) = explained(files(), true);
    let document = ask(&mut session, &request).unwrap();
    assert_eq!(document["captures"].as_array().unwrap().len(), 2);
    assert_eq!(document["connections"].as_array().unwrap().len(), 1);
    assert!(document["connections"][0]["capture"].is_null());
}

/// The kernel's data about two transfers is shown next to the packets, on the page and in the document.
#[test]
fn recordings_have_two_witnesses() {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcpwhy-engine/tests/fixtures/recording.pcapng.gz");
    let (mut session, said) = explained(vec![("recording.pcapng.gz", std::fs::read(recording).unwrap())], false);
    let said = said.unwrap();
    assert_eq!(said["messages"], json!([]));
    let document = ask(&mut session, &json!({ "ask": "document", "language": "en", "has_timeline": false })).unwrap();
    let on_page = said["view"]["documents"]["en"]["connections"].as_array().unwrap();
    for (connection, limit) in document["connections"].as_array().unwrap().iter().zip(["receive_window", "application"])
    {
        assert_eq!((&connection["source"], &connection["process"]["name"]), (&json!("both"), &json!("python3")));
        let kernel = &connection["halves"][0]["kernel"];
        assert_eq!((&kernel["limits"][0]["limit"], &kernel["disagrees"]), (&json!(limit), &json!(false)));
        let same = on_page.iter().find(|other| other["id"] == connection["id"]).unwrap();
        assert_eq!(&same["halves"][0]["kernel"], kernel, "one number, one meaning");
    }
    // The words for the kernel's data are part of the page.
    assert!(said["view"]["messages"]["zh-CN"]["kernel-agrees"].is_string());
}

#[test]
fn damage_is_told_and_what_is_no_capture_refused() {
    let mut cut = sample("loss");
    cut.truncate(cut.len() / 2);
    let (_, said) =
        explained(vec![("cut.gz", cut), ("note.txt", b"not a capture, but longer than a header is".to_vec())], false);
    let said = said.unwrap();
    assert_eq!(said["view"]["overview"]["connections"], 1);
    let messages = said["messages"].to_string();
    assert!(messages.contains("\"cut.gz: ") && messages.contains("note.txt"), "{messages}");
    let (_, said) = explained(vec![("note.txt", b"not a capture, but longer than a header is".to_vec())], false);
    assert!(matches!(said, Err(Failure::Said(text)) if text.contains("note.txt")));
}

#[test]
fn files_are_read_in_slices() {
    let disk = Arc::new(Memory {
        files: vec![vec![0; 24], sample("loss")],
        largest: Mutex::new(0),
        reached: Mutex::default(),
    });
    let mut session = Session::new(Arc::clone(&disk) as Arc<dyn Disk>);
    let asked = json!({ "ask": "explain", "files": [{ "name": "empty" }, { "name": "loss" }], "is_merged": false, "language": "zh-CN" });
    let said = ask(&mut session, &asked).unwrap();
    assert_eq!(said["view"]["language"], "zh-CN");
    assert!(*disk.largest.lock().unwrap() <= 1 << 20, "{} bytes at once", disk.largest.lock().unwrap());
}

#[test]
fn a_request_that_nobody_understands_is_refused() {
    let (mut session, _) = explained(vec![("loss.gz", sample("loss"))], false);
    for request in ["", "{}", r#"{"ask":"steal"}"#, r#"{"ask":"chart"}"#] {
        assert!(matches!(session.answer(request), Err(Failure::Said(_))), "{request}");
    }
}

#[test]
fn progress_counts_packets_and_connections_of_all_files() {
    let files = vec![sample("loss"), sample("policer")];
    let disk = Arc::new(Memory { files, largest: Mutex::new(0), reached: Mutex::default() });
    let mut session = Session::new(Arc::clone(&disk) as Arc<dyn Disk>);
    let asked = json!({ "ask": "explain", "files": [{ "name": "loss" }, { "name": "policer" }], "is_merged": false, "language": "en" });
    let said = ask(&mut session, &asked).unwrap();
    let captures = said["view"]["documents"]["en"]["captures"].as_array().unwrap();
    let packets: u64 = captures.iter().map(|capture| capture["packets"].as_u64().unwrap()).sum();
    assert_eq!(*disk.reached.lock().unwrap(), (packets, 2));
}
