//! Texts for users have the terms of RFCs, the Linux kernel, Wireshark and `ss`. Catalogues, help and
//! documents contain none of the former phrases.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::tcpwhy;

/// Phrases to avoid, and their replacements. Only unambiguous phrases are listed. The first letter may be a
/// capital.
const PHRASES: [(&str, &str); 38] = [
    ("reckon", "compute, estimate, use"),
    ("sent again", "retransmitted"),
    ("mend the", "fix the"),
    ("mended", "fixed"),
    (" tread", "plateau, flat step"),
    (" flies", "bytes in flight"),
    (" kB fly", "allows … in flight"),
    ("the flight", "bytes in flight"),
    ("flights", "bytes in flight"),
    ("flight plateau", "plateau of bytes in flight"),
    ("last flight", "final round trip"),
    ("took its time to answer", "server response time"),
    ("time to answer", "server response time, think time"),
    ("peer's turn", "waiting for the peer"),
    ("by turns", "request–response round trips"),
    (" paced writes", "writes at its own pace"),
    ("used to the full", "bottleneck saturated"),
    ("standing queue", "persistent queue"),
    ("queue that stands", "persistent queue"),
    ("queue stands", "persistent queue"),
    ("closed its window", "advertised a zero window"),
    ("closed its receive window", "advertised a zero window"),
    ("closed windows", "zero windows"),
    ("at its ceiling", "reached its autotuning limit"),
    ("left slow start early", "early slow-start exit (HyStart)"),
    ("of unclear kind", "congestion window or send buffer (undetermined)"),
    ("exceptional packet", "event"),
    ("exceptional event", "event"),
    ("joined in mid-stream", "capture started mid-connection"),
    ("left alone", "autotuned"),
    ("buffer set by their application", "application set SO_SNDBUF or SO_RCVBUF"),
    ("died in a closed window", "aborted during zero window"),
    ("counters of trouble", "error counters"),
    ("so grave", "of this severity"),
    ("in vain", "without effect"),
    ("won back", "saved"),
    ("could win", "potential saving"),
    ("worth knowing", "notes"),
];

/// The same for Chinese: one term for one thing.
const CHINESE: [(&str, &str); 18] = [
    ("链路已跑满", "路径已跑满"),
    ("末尾在途", "最后一轮在途数据"),
    ("右边界", "窗口右沿"),
    ("自动调节", "自动调整"),
    ("往返延迟", "往返时延"),
    ("往返时间", "往返时延"),
    ("抓包未见", "未抓到"),
    ("常设队列", "持续排队"),
    ("发送方", "发送端"),
    ("接收方", "接收端"),
    ("应用程序", "应用"),
    ("限速器", "限速设备（policer）"),
    ("流量监管", "限速设备（policer）"),
    ("尾部丢失", "尾部丢包"),
    ("有效速率", "有效吞吐"),
    ("窗口扩大", "窗口缩放"),
    ("关闭的窗口", "零窗口"),
    ("调高", "调大"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All phrases found in `text`.
fn remains(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let lower = line.to_ascii_lowercase();
        for (phrase, instead) in PHRASES {
            // Matches only at the beginning of a word, because "recommended" contains "mend".
            let begins = |at: usize| !lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            if lower.match_indices(&phrase.to_ascii_lowercase()).any(|(at, _)| begins(at)) {
                found.push(format!("{name}:{}: \"{phrase}\" ({instead})", number + 1));
            }
        }
        for (phrase, instead) in CHINESE {
            if line.contains(phrase) {
                found.push(format!("{name}:{}: “{phrase}”（{instead}）", number + 1));
            }
        }
    }
    found
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    files
}

fn check(found: &[String]) {
    assert!(found.is_empty(), "words that nobody else uses:\n{}", found.join("\n"));
}

#[test]
fn catalogues_speak_the_words_of_the_field() {
    let mut found = Vec::new();
    for language in ["en", "zh-CN"] {
        for path in files(&root().join("crates/tcpwhy-report/locales").join(language), ".ftl") {
            found.extend(remains(&path.display().to_string(), &fs::read_to_string(&path).unwrap()));
        }
    }
    check(&found);
}

#[test]
fn documents_speak_the_words_of_the_field() {
    let root = root();
    let mut paths = files(&root, ".md");
    paths.extend(files(&root.join("docs"), ".md"));
    let mut found = Vec::new();
    for path in paths {
        found.extend(remains(&path.display().to_string(), &fs::read_to_string(&path).unwrap()));
    }
    // Blocks and tables of a case page are not checked, because they record the program's output of that day.
    for path in files(&root.join("docs/cases"), ".md") {
        let mut is_block = false;
        let prose = fs::read_to_string(&path).unwrap().lines().fold(String::new(), |mut prose, line| {
            is_block ^= line.starts_with("```");
            if !is_block && !line.starts_with('|') {
                prose.push_str(line);
            }
            prose.push('\n');
            prose
        });
        found.extend(remains(&path.display().to_string(), &prose));
    }
    check(&found);
}

/// Every document of the repository, without built or fetched files.
fn documents(folder: &Path) -> Vec<PathBuf> {
    const OTHERS: [&str; 3] = ["target", "node_modules", ".git"];
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let is_other = OTHERS.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && !is_other {
            found.extend(documents(&path));
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Placeholders in `text` for a number, such as `TOTAL_S10`. Constants of that form (`TPACKET_V3`) are code,
/// and code spans and blocks are skipped.
fn placeholders(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_block = false;
    for (number, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        if is_block || is_fence {
            continue;
        }
        // Every other part is a code span, unless the line does not close it.
        let parts: Vec<_> = line.split('`').collect();
        let is_code = |index: usize| index % 2 == 1 && index + 1 < parts.len();
        let prose = parts.iter().enumerate().filter(|(index, _)| !is_code(*index)).map(|(_, part)| part);
        let words = prose.flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        let hits = words.filter(|word| is_placeholder(word)).map(|word| format!("{name}:{}: {word}", number + 1));
        found.extend(hits);
    }
    found
}

/// Whether the whole word matches `[A-Z]+_[A-Z]*[0-9]+`.
fn is_placeholder(word: &str) -> bool {
    word.split_once('_').is_some_and(|(head, tail)| {
        let digits = tail.trim_start_matches(|c: char| c.is_ascii_uppercase());
        !head.is_empty()
            && head.bytes().all(|byte| byte.is_ascii_uppercase())
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// A document written before its measurement contains a placeholder.
#[test]
fn no_document_has_a_placeholder() {
    let paths = documents(&root());
    assert!(paths.len() > 40, "{paths:?}");
    let check = |path: &PathBuf| placeholders(&path.display().to_string(), &fs::read_to_string(path).unwrap());
    let found: Vec<_> = paths.iter().flat_map(check).collect();
    assert!(found.is_empty(), "numbers that were never filled in:\n{}", found.join("\n"));
}

#[test]
fn placeholders_are_found() {
    let found = |text| placeholders("a", text).len();
    assert_eq!(found("| right | RIGHT_S1 | MEAN_2 | TV_S10; TV_S2 |"), 4);
    assert_eq!(found("准确率为RATE_A1。"), 1, "Chinese has no spaces");
    assert_eq!(found("of RATE_A1, an open ` before WORST_1"), 2);
    assert_eq!(found("`AF_INET6` and TLS1_2, ICMP6_ECHO, RFC 9293, tcp_rmem[2], MAX_RATE"), 0);
    assert_eq!(found("```\nTOTAL_S1\n```\nnothing"), 0);
}

#[test]
fn help_speaks_the_words_of_the_field() {
    let folder = tempfile::tempdir().unwrap();
    let output = tcpwhy().arg("man").arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = Vec::new();
    let pages = files(folder.path(), ".1");
    assert!(pages.len() > 10, "{pages:?}");
    for path in pages {
        let text = fs::read_to_string(&path).unwrap().replace("\\-", "-").replace("\\*(Aq", "'");
        found.extend(remains(&path.file_name().unwrap().to_string_lossy(), &text));
    }
    check(&found);
}

#[test]
fn the_phrases_are_found() {
    assert_eq!(remains("a", "Segments are sent again.\nA Standing queue").len(), 2);
    assert_eq!(remains("a", "窗口右边界").len(), 1);
    assert!(remains("a", "bytes in flight; retransmitted; the window is zero now; 窗口右沿").is_empty());
}
