//! Checks that code for facts, verdicts and predictions has no unnamed numbers, and that rules name theirs.

use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that decide nothing by themselves: zero, one, and nanoseconds per second.
const ALLOWED: [&str; 5] = ["0", "1", "0.0", "1.0", "1e9"];
/// Tokens that halve the length of a list.
const MIDDLE: [&str; 5] = ["len", "(", ")", "/", "2"];
/// Operators that compare or scale.
const OPERATORS: [&str; 16] =
    ["<", ">", "<=", ">=", "==", "!=", "*", "/", "%", "*=", "/=", "%=", "..", "..=", "<<=", ">>="];
/// Calls that compare or scale.
const CALLS: [&str; 9] =
    ["min", "max", "clamp", "quantile", "map_or", "unwrap_or", "saturating_mul", "checked_div", "above"];

/// Files without deciding numbers: tests, and the memory layout of packets.
const NOT_DECIDING: [&str; 4] = ["tests", "terms", "testing", "packed"];

/// A word, number or operator of the source, with its line.
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// Returns the tokens of a source up to its tests, without comments, strings and attributes.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let end = source.find("#[cfg(test)]\nmod ").or_else(|| source.find("#[cfg(test)]\npub(crate) mod "));
    let (mut rest, mut line) = (&source[..end.unwrap_or(source.len())], 1);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let quote = rest.match_indices('"').skip(1).find(|(at, _)| !rest[..*at].ends_with('\\'));
            quote.map_or(rest.len(), |(at, _)| at + 1)
        } else if rest.starts_with("#[") {
            rest.find("]\n").map_or(rest.len(), |at| at + 1)
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            first.len_utf8() + rest.chars().nth(1).map_or(0, char::len_utf8) + 1
        } else if first.is_ascii_digit() {
            number(rest)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if let Some(operator) = ["<<=", ">>=", "..="].into_iter().find(|o| rest.starts_with(o)) {
            operator.len()
        } else if let Some(operator) = ["<=", ">=", "==", "!=", "*=", "/=", "%=", "..", "::", "->", "=>", "<<", ">>"]
            .iter()
            .find(|o| rest.starts_with(**o))
        {
            operator.len()
        } else {
            first.len_utf8()
        };
        let (text, after) = rest.split_at(length);
        let is_code = !first.is_whitespace() && first != '"' && first != '\'' && !text.starts_with("//");
        if is_code && !text.starts_with("#[") {
            all.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    all
}

/// Returns the length of the number at the start of `rest`. A range ends the number, a fraction does not.
fn number(rest: &str) -> usize {
    let word =
        |from: usize| rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |at| from + at);
    let whole = word(0);
    let mut after = rest[whole..].chars();
    if after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit()) { word(whole + 1) } else { whole }
}

/// Returns the number without its type and underscores.
fn value(text: &str) -> String {
    let types = ["f32", "f64", "u8", "u16", "u32", "u64", "i32", "i64", "usize"];
    let bare = types.iter().find_map(|t| text.strip_suffix(t)).unwrap_or(text);
    bare.replace('_', "")
}

/// Returns the lines with an unnamed number, and the tokens around it.
fn bare_numbers(source: &str) -> Vec<(usize, String)> {
    let tokens = tokens(source);
    let text = |at: usize| tokens.get(at).map_or("", |t| t.text);
    let mut found = Vec::new();
    // Number of open brackets within a constant.
    let mut constant: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        let [third, second, before] = [3, 2, 1].map(|back| at.checked_sub(back).map_or("", text));
        constant = match (token.text, constant) {
            // The numbers of a constant function are not named by it.
            ("const" | "static", None) if text(at + 1) != "fn" && before != "'" => Some(0),
            ("[" | "(", Some(open)) => Some(open + 1),
            ("]" | ")", Some(open)) => open.checked_sub(1),
            (";" | "{", Some(0)) => None,
            (_, unchanged) => unchanged,
        };
        let after = text(at + 1);
        let is_number = token.text.starts_with(|c: char| c.is_ascii_digit()) && before != ".";
        if !is_number || constant.is_some() || ALLOWED.contains(&value(token.text).as_str()) {
            continue;
        }
        let is_parameter = before == "<" && after == ">";
        let is_middle = at >= 4 && (0..5).all(|n| text(at - 4 + n) == MIDDLE[n]);
        let is_argument = before == "(" && CALLS.contains(&second) && third == ".";
        let is_compared = OPERATORS.contains(&before) || OPERATORS.contains(&after) || is_argument;
        let is_fraction = token.text.contains('.');
        if (is_compared || is_fraction) && !is_parameter && !is_middle {
            found.push((token.line, [second, before, token.text, after, text(at + 2)].join(" ")));
        }
    }
    found
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs")
            && path.file_stem().is_some_and(|s| !NOT_DECIDING.contains(&s.to_string_lossy().as_ref()))
        {
            into.push(path);
        }
    }
}

fn complaints(paths: &[PathBuf], look: impl Fn(&str) -> Vec<(usize, String)>) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for path in paths {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        let found = look(&fs::read_to_string(path).unwrap());
        all.extend(found.into_iter().map(|(line, what)| format!("{name}:{line}: {what}")));
    }
    all.sort();
    all
}

#[test]
fn numbers_that_decide_are_in_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    let rooms = ["facts", "seen", "connection", "exchanges", "problems", "services", "legs", "answer", "comparison"];
    for room in rooms {
        sources(&source.join(room), &mut paths);
    }
    paths.extend(["verdict", "severity", "prediction"].map(|name| source.join(format!("diagnosis/{name}.rs"))));
    assert!(paths.len() > 30, "{paths:?}");
    let all = complaints(&paths, bare_numbers);
    assert!(all.is_empty(), "name these numbers in thresholds/table/:\n{}", all.join("\n"));
}

/// Returns numbers in calls of `note` and `explain`: the confidence of a finding, and its least share of
/// time.
fn numbers_of_findings(source: &str) -> Vec<(usize, String)> {
    let tokens = tokens(source);
    let calls = tokens.windows(4).enumerate().filter(|(_, t)| {
        ["note", "explain"].contains(&t[0].text) && t[1].text == "(" && t[2].text == "&" && t[3].text == "RULE"
    });
    let arguments = calls.flat_map(|(at, call)| {
        let inner = tokens[at + 4..].iter().take_while(|t| !["|", ";", "?"].contains(&t.text));
        inner
            .filter(|t| t.text.starts_with(|c: char| c.is_ascii_digit()) && t.text.contains('.'))
            .map(|t| (t.line, call[0].text))
    });
    arguments.map(|(line, call)| (line, format!("{call}(&RULE, a number)"))).collect()
}

#[test]
fn rules_name_how_sure_they_are() {
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnosis/rules"), &mut paths);
    let all = complaints(&paths, numbers_of_findings);
    assert!(all.is_empty(), "name these numbers in constants of their rules:\n{}", all.join("\n"));
}

/// Numbers that the check must find, and others that it must ignore.
#[test]
fn bare_numbers_are_found() {
    for code in
        ["x < 3", "x >= 0.5", "x * 2", "x / 4", "2 * x", "x as f64 * 1.5", "x.max(10)", "x.quantile(0.95)", "(400..x)"]
    {
        assert_eq!(bare_numbers(&format!("fn f() {{\n    {code};\n}}")).first().map(|f| f.0), Some(2), "{code}");
    }
    for code in [
        "x < 0",
        "x > 1",
        "x / 1e9",
        "x.0 * y",
        "x.len() / 2",
        "const X: i64 = 3 * y",
        "const X: [f64; 2] = [0.5 * y, 0.25]",
        "as_chunks::<2>()",
        "[x; 4]",
        "// x < 3",
        "\"x < 3\"",
        "LEAST.get() * x",
        "1_u64 * x",
        "f(2)",
        "#[a(b < 3)]\nx",
        "'<' 3",
    ] {
        assert_eq!(bare_numbers(&format!("fn f() {{\n    {code};\n}}")), [], "{code}");
    }
    assert_eq!(bare_numbers("x < 1;\n#[cfg(test)]\nmod tests { x < 3; }"), []);
    let sure = |code: &str| numbers_of_findings(code).len();
    assert_eq!(
        [sure("note(&RULE, 0.9)"), sure("explain(&RULE, 0.05, |c| c > 0.3)?"), sure("note(&RULE, SURE)")],
        [1, 1, 0]
    );
}
