//! Adapts advice to the host: omits settings that already have the advised value, or a larger size or count.

use tcpwhy_kernel::{Sysctl, SysctlUnit, SysctlValue, Sysctls};
use tcpwhy_model::{Fix, FixLine, FixPlace};

/// Fixes that may lower a value: the present values are too large, or in the wrong order.
const MAY_LOWER: [&str; 2] = ["host-order-values", "host-tcp-mem-in-pages"];

/// `fix` without the settings that the host already has; `None` if nothing is left. Fixes for other hosts
/// stay unchanged.
pub(super) fn adapted(mut fix: Fix, sysctls: &Sysctls) -> Option<Fix> {
    if !matches!(fix.place, FixPlace::Host | FixPlace::Application) || MAY_LOWER.contains(&fix.id) {
        return Some(fix);
    }
    let had_only_settings = fix.lines.iter().all(|line| Line::of(&line.code.unfilled()).is_some());
    fix.lines = fix
        .lines
        .into_iter()
        .filter_map(|line| {
            let adapted = Line::of(&line.code.unfilled()).map(|parts| parts.adapted(sysctls));
            match adapted {
                Some(code) => code.map(|code| FixLine { code: code.into(), ..line }),
                None => Some(line),
            }
        })
        .collect();
    (!fix.lines.is_empty() || !had_only_settings).then_some(fix)
}

/// A line that sets sysctls, split into the text before the assignments, the assignments, and the text after
/// them.
struct Line<'a> {
    before: &'static str,
    assignments: Vec<(&'a str, &'a str)>,
    after: &'a str,
    /// Text between name and value.
    equals: &'static str,
    /// Quotation mark around a value of several numbers.
    quote: &'static str,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        const NOW: &str = "sysctl -w ";
        const LATER: &str = "echo \"";
        if let Some(rest) = line.strip_prefix(NOW) {
            let end = rest.find("  ").unwrap_or(rest.len());
            let (mut text, after) = rest.split_at(end);
            let mut assignments = Vec::new();
            while let Some((name, value)) = text.split_once('=') {
                let (value, rest) = match value.strip_prefix('\'') {
                    Some(value) => value.split_once('\'')?,
                    None => value.split_once(' ').unwrap_or((value, "")),
                };
                assignments.push((name, value));
                text = rest.trim_start();
            }
            return Some(Self { before: NOW, assignments, after, equals: "=", quote: "'" });
        }
        let (assignment, _) = line.strip_prefix(LATER)?.split_once('"')?;
        let after = line.get(LATER.len() + assignment.len()..)?;
        let (name, value) = assignment.split_once(" = ")?;
        Some(Self { before: LATER, assignments: vec![(name, value)], after, equals: " = ", quote: "" })
    }

    fn adapted(self, sysctls: &Sysctls) -> Option<String> {
        let kept: Vec<String> = self
            .assignments
            .iter()
            .filter_map(|&(name, value)| {
                let value = wanted(name, value, sysctls)?;
                let quote = if value.contains(' ') { self.quote } else { "" };
                Some(format!("{name}{}{quote}{value}{quote}", self.equals))
            })
            .collect();
        (!kept.is_empty()).then(|| format!("{}{}{}", self.before, kept.join(" "), self.after))
    }
}

/// The value that `name` should have; `None` if it already has that value or a larger one.
fn wanted(name: &str, value: &str, sysctls: &Sysctls) -> Option<String> {
    let Some((sysctl, present)) = Sysctl::from_name(name).and_then(|s| Some((s, sysctls.value(s)?))) else {
        return Some(value.to_owned());
    };
    let is_amount = matches!(
        sysctl.unit(),
        SysctlUnit::Bytes | SysctlUnit::Pages | SysctlUnit::Count | SysctlUnit::Segments | SysctlUnit::Seconds
    );
    let mut asked = Sysctls::new();
    asked.assign(&format!("{name}={value}")).ok()?;
    let asked = asked.value(sysctl)?.clone();
    let wanted = match (&asked, present) {
        (SysctlValue::Number(asked), SysctlValue::Number(present)) if is_amount => {
            SysctlValue::Number(*asked.max(present))
        }
        (SysctlValue::Triple(asked), SysctlValue::Triple(present)) if is_amount => {
            SysctlValue::Triple([0, 1, 2].map(|i| asked[i].max(present[i])))
        }
        _ => asked,
    };
    (wanted != *present).then(|| wanted.to_string().replace('\t', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sysctls() -> Sysctls {
        let mut sysctls = Sysctls::new();
        for assignment in [
            "net.core.somaxconn=4096",
            "net.ipv4.tcp_max_syn_backlog=512",
            "net.core.rmem_max=16777216",
            "net.ipv4.tcp_rmem=8192 262144 4194304",
            "net.ipv4.tcp_syncookies=0",
            "net.ipv4.tcp_sack=1",
        ] {
            sysctls.assign(assignment).unwrap();
        }
        sysctls
    }

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        let fix = Fix::new("some-fix", FixPlace::Host, vec![line.to_owned().into()]);
        let lines = adapted(fix, &sysctls())
            .map(|fix| fix.lines.iter().map(|line| line.code.unfilled().into_owned()).collect::<Vec<_>>().join("\n"));
        assert_eq!(lines.as_deref(), expected, "{line}");
    }

    #[test]
    fn nothing_is_lowered_or_set_to_what_it_is() {
        check(
            "sysctl -w net.core.somaxconn=4096 net.ipv4.tcp_max_syn_backlog=8192",
            Some("sysctl -w net.ipv4.tcp_max_syn_backlog=8192"),
        );
        check("sysctl -w net.core.rmem_max=4194304  # caps SO_RCVBUF only", None);
        check("sysctl -w net.core.rmem_max=33554432  # caps", Some("sysctl -w net.core.rmem_max=33554432  # caps"));
        check(
            "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'  # was",
            Some("sysctl -w net.ipv4.tcp_rmem='8192 262144 6291456'  # was"),
        );
        check(
            "echo \"net.ipv4.tcp_rmem = 4096 131072 6291456\" >> /etc/sysctl.d/90-tcp.conf  # after",
            Some("echo \"net.ipv4.tcp_rmem = 8192 262144 6291456\" >> /etc/sysctl.d/90-tcp.conf  # after"),
        );
        check("echo \"net.ipv4.tcp_rmem = 4096 131072 4194304\" >> /etc/sysctl.d/90-tcp.conf", None);
        check("sysctl -w net.ipv4.tcp_syncookies=1", Some("sysctl -w net.ipv4.tcp_syncookies=1"));
        check("sysctl -w net.ipv4.tcp_sack=1", None);
    }

    #[test]
    fn the_rest_stays() {
        for line in [
            "ss -s  # who",
            "sysctl -w net.ipv4.ip_local_port_range='1024 65535'  # wider",
            "sysctl -w net.ipv4.tcp_wmem='4096 16384 4096'  # not known here",
            "echo hello",
        ] {
            check(line, Some(line));
        }
    }

    #[test]
    fn other_hosts_have_other_values() {
        let lines = vec!["sysctl -w net.core.somaxconn=128".into()];
        let there = Fix::new("some-fix", FixPlace::ReceivingHost, lines);
        assert_eq!(adapted(there.clone(), &sysctls()), Some(there));
    }
}
