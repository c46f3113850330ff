//! Compares the reader with capinfos and tshark, on the folder of captures in `TCPWHY_CAPTURES`, or on the
//! bundled ones. Without these tools the test prints that it compares nothing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use tcpwhy_capture::{CaptureReader, CaptureSummary};

#[test]
fn packets_segments_and_payload_agree_with_wireshark() {
    let folder = std::env::var_os("TCPWHY_CAPTURES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"), PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: no captures at {}", folder.display());
        return;
    }
    if !["capinfos", "tshark"].iter().all(|tool| run(tool, &["--version"]).is_some()) {
        println!("skipped: no capinfos or tshark");
        return;
    }
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut compared = 0;
    let mut disagreements = Vec::new();
    for file in &files {
        let ours = read(file);
        let Some(packets) = capinfos(file) else {
            println!("not readable to capinfos: {}: {}", file.display(), outcome(&ours));
            continue;
        };
        let theirs = tshark(file);
        let agrees = ours.as_ref().is_ok_and(|ours| {
            ours.summary.packets == packets
                && (theirs.with_len..=theirs.frames).contains(&ours.summary.segments)
                && (ours.summary.segments != theirs.with_len || ours.payload == theirs.payload)
        });
        compared += 1;
        if !agrees {
            disagreements.push(format!("{}: {}, not {packets} packets, {theirs:?}", file.display(), outcome(&ours)));
        }
    }
    println!("{compared} of {} files compared", files.len());
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

struct Ours {
    summary: CaptureSummary,
    payload: u64,
}

fn read(file: &Path) -> Result<Ours, String> {
    let mut reader = CaptureReader::open(file).map_err(|error| error.to_string())?;
    let payload = reader.by_ref().map(|segment| u64::from(segment.payload_len)).sum();
    Ok(Ours { summary: reader.summary(), payload })
}

fn outcome(ours: &Result<Ours, String>) -> String {
    match ours {
        Ok(ours) => format!(
            "{} packets, {} segments, {} bytes of payload",
            ours.summary.packets, ours.summary.segments, ours.payload
        ),
        Err(error) => error.clone(),
    }
}

/// Packets of a pcap or pcapng file that capinfos reads without complaint.
fn capinfos(file: &Path) -> Option<u64> {
    let table = run("capinfos", &["-t", "-c", "-M", "-T", "-r", file.to_str()?])?;
    let mut columns = table.trim().split('\t').skip(1);
    matches!(columns.next()?, "pcap" | "nsecpcap" | "modpcap" | "pcapng").then_some(())?;
    columns.next()?.parse().ok()
}

#[derive(Debug, Default)]
struct Theirs {
    /// Frames with TCP, except TCP quoted by ICMP.
    frames: u64,
    /// Frames whose header was valid enough for a length.
    with_len: u64,
    /// Payload bytes of the innermost TCP.
    payload: u64,
}

fn tshark(file: &Path) -> Theirs {
    let path = file.to_str().unwrap();
    let no_reassembly = ["-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"];
    let fields = ["-Y", "tcp && !icmp && !icmpv6", "-T", "fields", "-e", "tcp.len", "-r", path];
    let lines = run("tshark", &[&no_reassembly[..], &fields].concat()).unwrap_or_default();
    let mut theirs = Theirs::default();
    for line in lines.lines() {
        theirs.frames += 1;
        if let Some(len) = line.rsplit(',').next().and_then(|len| len.parse::<u64>().ok()) {
            theirs.with_len += 1;
            theirs.payload += len;
        }
    }
    theirs
}

/// Standard output of a command that succeeds.
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_text = path.extension().is_some_and(|extension| extension == "md" || extension == "csv");
        if path.is_dir() {
            collect(&path, files);
        } else if !is_text {
            files.push(path);
        }
    }
}
