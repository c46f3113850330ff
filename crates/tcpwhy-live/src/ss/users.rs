//! The processes of a socket: `(("nginx",pid=1,fd=3),("nginx",pid=2,fd=3))`, or `(("nginx",1,3))` in iproute2
//! 3.x. With `-Z`, security contexts are between the numbers.
//!
//! `ss` does not escape names, so a process may be called `x",pid=1,fd=3))`. The limit of [`LONGEST_NAME`]
//! bytes shows where a name ends: the text between two names is longer than that. So the longest name that
//! fits is the right one. Names that tcpwhy writes ([`ESCAPED`]) are unambiguous.

use tcpwhy_model::foreign::{escape, is_hidden, unescape};
use tcpwhy_model::host::ProcessRef;

/// The key before names in the form of `ss`.
pub(super) const RAW: &str = "users";
/// The key before names written by [`tcpwhy_model::foreign::escape`], used if the form of `ss` would be
/// ambiguous.
pub(super) const ESCAPED: &str = "users_escaped";

/// `TASK_COMM_LEN` of Linux without the terminating zero, bytes.
const LONGEST_NAME: usize = 15;
/// Longest name from programs other than `ss`, which may print longer ones (kernel threads have them).
const LONGEST_FOREIGN_NAME: usize = 64;
/// Longest security context (`-Z`), bytes. The limit keeps a hostile line from being searched to its end
/// again for every word that looks like a list.
const LONGEST_CONTEXT: usize = 256;

/// Whether a name in the form of `ss` is read back unchanged.
pub(super) fn is_plain(name: &str) -> bool {
    name.chars().count() <= LONGEST_NAME && !name.contains(|c| is_hidden(c) || is_markup(c))
}

fn is_markup(c: char) -> bool {
    matches!(c, '"' | '(' | ')' | '\\') || (c != ' ' && c.is_whitespace())
}

/// `name` as written after [`ESCAPED`]: without quotes, parentheses or blanks.
pub(super) fn escaped(name: &str) -> String {
    escape(name, |c| is_markup(c) || c == ' ').into_owned()
}

/// Length in bytes of the list at the start of `text`, the text after [`RAW`] and its colon. An incomplete
/// list counts as far as it goes; `None` without a complete entry. No character is scanned twice.
pub(super) fn length(text: &str) -> Option<usize> {
    let (length, entries, _) = walk(text, entry, |_| ());
    (entries > 0).then_some(length)
}

/// The processes of a list in the form of `ss`.
pub(super) fn parse(text: &str) -> Option<Vec<ProcessRef>> {
    let mut processes = Vec::new();
    let take = |e: &Entry<'_>| processes.push(ProcessRef { name: e.name.to_owned(), pid: e.pid, fd: e.fd });
    let (length, _, is_closed) = walk(text, entry, take);
    (is_closed && length == text.len()).then_some(processes)
}

/// The processes of a list in the form of [`ESCAPED`].
pub(super) fn parse_escaped(text: &str) -> Option<Vec<ProcessRef>> {
    let mut processes = Vec::new();
    let take = |e: &Entry<'_>| processes.push(unescape(e.name).map(|name| ProcessRef { name, pid: e.pid, fd: e.fd }));
    let (length, _, is_closed) = walk(text, escaped_entry, take);
    (is_closed && length == text.len()).then(|| processes.into_iter().collect())?
}

/// One process as written, and the text after it.
struct Entry<'a> {
    name: &'a str,
    pid: u32,
    fd: u32,
    after: &'a str,
}

/// Passes every entry to `take`. Returns the length in bytes, the number of entries, and whether the list is
/// closed.
fn walk<'a>(
    text: &'a str,
    entry: impl Fn(&'a str) -> Option<Entry<'a>>,
    mut take: impl FnMut(&Entry<'a>),
) -> (usize, usize, bool) {
    let (mut length, mut entries) = (0, 0);
    let mut rest = text.strip_prefix('(');
    while let Some(entry) = rest.and_then(|rest| rest.strip_prefix("(\"")).and_then(&entry) {
        take(&entry);
        entries += 1;
        length = text.len() - entry.after.len();
        if entry.after.starts_with(')') {
            return (length + 1, entries, true);
        }
        rest = entry.after.strip_prefix(',');
    }
    (length, entries, false)
}

/// The entry with the longest name that a process can have. If no name is that short, it is the entry with
/// the shortest name.
fn entry(text: &str) -> Option<Entry<'_>> {
    let mut best: Option<Entry<'_>> = None;
    for (count, (at, _)) in text.char_indices().take(LONGEST_FOREIGN_NAME).enumerate() {
        if count > LONGEST_NAME && best.is_some() {
            break;
        }
        let numbers = text[at..].strip_prefix('"').and_then(numbers).filter(|(_, _, after)| is_end(after));
        if let Some((pid, fd, after)) = numbers {
            best = Some(Entry { name: &text[..at], pid, fd, after });
        }
    }
    best
}

fn escaped_entry(text: &str) -> Option<Entry<'_>> {
    let (name, rest) = text.split_once('"')?;
    let (pid, fd, after) = numbers(rest)?;
    Some(Entry { name, pid, fd, after })
}

/// Whether an entry can end before this text: another entry begins, or the list and the word end.
fn is_end(after: &str) -> bool {
    after.starts_with(",(\"")
        || after.strip_prefix(')').is_some_and(|rest| !rest.starts_with(|c: char| !c.is_whitespace()))
}

/// Parses `,pid=7,fd=3)`, `,7,3)` or `,pid=7,proc_ctx=…,fd=3,sock_ctx=…)`: pid, descriptor, and the text
/// after them.
fn numbers(text: &str) -> Option<(u32, u32, &str)> {
    let (pid, rest) = number(text.strip_prefix(',')?, "pid=")?;
    let rest = rest.strip_prefix(',')?;
    if let Some((fd, after)) = descriptor(rest) {
        return Some((pid, fd, after));
    }
    // Contexts may contain blanks and parentheses: `docker-default (enforce)`.
    let (_, fd) = cut(rest.strip_prefix("proc_ctx=")?, b",fd=")?;
    descriptor(&fd[1..]).map(|(fd, after)| (pid, fd, after))
}

/// Parses `fd=3)`, `fd=3,sock_ctx=…)` or `3)`: the descriptor, and the text after the entry.
fn descriptor(text: &str) -> Option<(u32, &str)> {
    let (fd, rest) = number(text, "fd=")?;
    let after = match rest.strip_prefix(",sock_ctx=") {
        Some(context) => cut(context, b")")?.1,
        None => rest,
    };
    Some((fd, after.strip_prefix(')')?))
}

/// Splits a text after a security context, before `mark` (ASCII).
fn cut<'a>(text: &'a str, mark: &[u8]) -> Option<(&'a str, &'a str)> {
    let head = &text.as_bytes()[..text.len().min(LONGEST_CONTEXT)];
    text.split_at_checked(head.windows(mark.len()).position(|part| part == mark)?)
}

/// A number, after `prefix` in newer versions of `ss`.
fn number<'a>(text: &'a str, prefix: &str) -> Option<(u32, &'a str)> {
    let text = text.strip_prefix(prefix).unwrap_or(text);
    let end = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(String, u32, u32)>> {
        parse(text).map(|list| list.into_iter().map(|p| (p.name, p.pid, p.fd)).collect())
    }

    fn one(name: &str, pid: u32, fd: u32) -> (String, u32, u32) {
        (name.to_owned(), pid, fd)
    }

    #[test]
    fn processes_of_all_versions() {
        assert_eq!(read(r#"(("chrome",13263,92))"#), Some(vec![one("chrome", 13_263, 92)]));
        assert_eq!(
            read(r#"(("nginx",pid=2,fd=6),("nginx",pid=1,fd=6))"#),
            Some(vec![one("nginx", 2, 6), one("nginx", 1, 6)])
        );
        assert_eq!(read(r#"(("a",b",(c)",pid=7,fd=8))"#), Some(vec![one(r#"a",b",(c)"#, 7, 8)]));
        for contexts in ["proc_ctx=unconfined,fd=3", "proc_ctx=docker-default (enforce),fd=3", "fd=3,sock_ctx=u:r:t:s0"]
        {
            let text = format!(r#"(("sshd",pid=7,{contexts}))"#);
            assert_eq!(read(&text), Some(vec![one("sshd", 7, 3)]), "with -Z");
        }
        assert_eq!(read(r#"(("longer-than-any-comm",pid=1,fd=2))"#), Some(vec![one("longer-than-any-comm", 1, 2)]));
        for broken in
            ["((broken", "", "()", r#"(("a",pid=1,fd=2)"#, r#"(("a",pid=99999999999,fd=2))"#, r#"(("a",pid=,fd=2))"#]
        {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    /// The names are unescaped, as `ss` itself prints them.
    #[test]
    fn a_name_that_looks_like_the_end_of_the_list_is_a_name() {
        for name in [r#"x",pid=1,fd=3))"#, r#"",pid=1,fd=2),"#, r#"",1,2),("#, "))", "\",", r#"a",pid=1,fd=2)"#] {
            assert!(name.len() <= LONGEST_NAME);
            for (others, expected) in [("", 1), (r#",("sshd",pid=5,fd=6)"#, 2)] {
                let text = format!(r#"(("{name}",pid=999,fd=7){others})"#);
                let all = read(&text).unwrap();
                assert_eq!((all.len(), &all[0]), (expected, &one(name, 999, 7)), "{text}");
            }
        }
    }

    #[test]
    fn escaped_names_come_back() {
        for name in ["", "a b", r#"x",pid=1,fd=3)) ino:5"#, "\u{1b}[2J\n", r"back\slash", "\u{202e}"] {
            let text = format!(r#"(("{}",pid=1,fd=2))"#, escaped(name));
            assert!(!text.contains(|c: char| c.is_whitespace() || c.is_control()), "{text}");
            assert_eq!(parse_escaped(&text).unwrap()[0].name, name);
        }
        assert_eq!(parse_escaped(r#"(("\q",pid=1,fd=2))"#), None);
    }
}
