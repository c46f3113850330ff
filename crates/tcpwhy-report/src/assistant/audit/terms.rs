//! Tests of the conditions under which a host's words are fenced: dropping a condition fails a test.

use tcpwhy_analysis::testing::finding;
use tcpwhy_model::{Basis, Evidence, EvidenceKey, Severity};

use super::*;

#[test]
fn settings_and_addresses_are_plain() {
    for (what, word, expected) in [
        ("a setting", "net.ipv4.tcp_rmem", true),
        ("an address with a port", "[2001:db8::1]:80", true),
        ("two addresses", "10.0.0.1:9 → 10.0.0.2:80", true),
        ("numbers", "4096, 131072", true),
        ("an address with an interface", "fe80::1%eth0", false),
        ("a line that ends", "a\nb", false),
        ("a fence", "⟦", false),
        ("a letter of another script", "é", false),
    ] {
        assert_eq!(is_plain(word), expected, "{what}");
        let shown = plain_or_fenced(word.to_owned());
        assert_eq!(shown == word, expected, "{what}");
    }
    assert!(is_plain(&"a".repeat(100)) && !is_plain(&"a".repeat(101)), "no longer than two addresses");
}

#[test]
fn names_of_processes_are_always_fenced() {
    let evidence = |key, word: &str| Evidence { key, value: Value::Word(word.into()), basis: Basis::KernelReported };
    let mut found = finding("send-buffer-plateau", Severity::Info, 0, None);
    found.evidence = vec![
        evidence(EvidenceKey::Client, "curl"),
        evidence(EvidenceKey::Client, "fe80::1%eth0"),
        evidence(EvidenceKey::Process, "curl"),
        evidence(EvidenceKey::SecondProcess, "curl"),
    ];
    let words: Vec<_> = fence_words(found).evidence.into_iter().map(|evidence| evidence.value).collect();
    let expected = ["curl".to_owned(), fenced("fe80::1%eth0"), fenced("curl"), fenced("curl")];
    assert_eq!(words, expected.map(Value::Word));
    assert_eq!((MOST_FINDINGS, MOST_BUFFERS), (8, 3));
}
