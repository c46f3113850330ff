//! The lines of a fix that are printed: those for one language or server, and the commands that are for every
//! host.

use tcpwhy_analysis::{Connection, Side};
use tcpwhy_model::{Audience, Fix, FixLine, FixPlace, Program};

/// The readers for whom lines of fixes are printed (`--code`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Code {
    /// All lines.
    #[default]
    All,
    /// Lines for this language or server.
    For(Program),
    /// Lines for the server that the port suggests, otherwise for C.
    Suggested,
}

/// Ports of servers that have settings of their own, from the IANA registry and the defaults of Kafka
/// (`listeners`) and iperf3. Many servers answer HTTP; nginx runs on the most hosts.
const SERVERS: [(u16, Program); 15] = [
    (21, Program::ProFtpd),
    (22, Program::Ssh),
    (80, Program::Nginx),
    (139, Program::Samba),
    (443, Program::Nginx),
    (445, Program::Samba),
    (873, Program::Samba),
    (1194, Program::OpenVpn),
    (3306, Program::MySql),
    (5201, Program::Iperf3),
    (5432, Program::PostgreSql),
    (6379, Program::Redis),
    (6380, Program::Redis),
    (9092, Program::Kafka),
    (9093, Program::Kafka),
];

/// The server of a connection, as its port suggests. Payload and names are ignored, because a stranger sent
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownServer {
    program: Program,
    sends: bool,
}

impl KnownServer {
    /// The server for a fix about the data of `sender`. Without a sender, the fix is about the connection,
    /// and its client counts as the sender.
    pub(crate) fn of(connection: &Connection, sender: Option<Side>) -> Option<Self> {
        Self::by_ports(connection.endpoints.map(|end| end.port), connection.initiator, sender)
    }

    fn by_ports(ports: [u16; 2], client: Option<Side>, sender: Option<Side>) -> Option<Self> {
        let at = |side: Side| {
            let port = ports[side.index()];
            SERVERS.iter().find(|(known, _)| *known == port).map(|(_, program)| (side, *program))
        };
        let (side, program) = match client {
            Some(client) => at(client.peer())?,
            // If both ends have such a port, nothing shows which one is the server.
            None => match (at(Side::A), at(Side::B)) {
                (Some(server), None) | (None, Some(server)) => server,
                _ => return None,
            },
        };
        Some(Self { program, sends: sender == Some(side) })
    }

    /// The lines for a change at `place`, which concern the server itself or its clients.
    const fn lines_at(self, place: FixPlace) -> Option<Lines> {
        let is_at_server = match place {
            FixPlace::SendingApplication | FixPlace::SendingHost => self.sends,
            FixPlace::ReceivingApplication | FixPlace::ReceivingHost => !self.sends,
            FixPlace::Network => true,
            FixPlace::Capture | FixPlace::Application | FixPlace::Host => return None,
        };
        Some(if is_at_server { Lines::OfServer(self.program) } else { Lines::OfClients(self.program) })
    }
}

/// A selection of a fix's lines. Commands for every host belong to each selection.
#[derive(Clone, Copy)]
enum Lines {
    All,
    OfHosts,
    /// Lines for a language, or for a server and its clients.
    For(Program),
    OfServer(Program),
    OfClients(Program),
}

impl Lines {
    fn include(self, audience: Audience) -> bool {
        audience == Audience::Host || self.include_program(audience)
    }

    fn include_program(self, audience: Audience) -> bool {
        match self {
            Self::All => audience != Audience::Host,
            Self::OfHosts => false,
            Self::For(program) => audience.includes(program),
            Self::OfServer(program) => audience == Audience::Program(program),
            Self::OfClients(program) => matches!(audience, Audience::Client { server, .. } if server == program),
        }
    }

    /// The first selection for which `fix` has lines. If the chosen language has none and the fix has no
    /// command, the calls in C are selected. Without these, the lines of the first program are.
    fn of(fix: &Fix, code: Code, server: Option<KnownServer>) -> Self {
        let has = |lines: &Self| fix.lines.iter().any(|line| lines.include_program(line.audience));
        let has_commands = fix.lines.iter().any(|line| line.audience == Audience::Host);
        let c = Self::For(Program::C);
        let wanted = match code {
            Code::All => [Some(Self::All), None],
            Code::For(program) => [Some(Self::For(program)), (!has_commands).then_some(c)],
            Code::Suggested => [server.and_then(|server| server.lines_at(fix.place)), Some(c)],
        };
        let first = || fix.lines.iter().find_map(|line| line.audience.programs().next()).map(Self::For);
        let otherwise = || if has_commands { Some(Self::OfHosts) } else { first() };
        wanted.into_iter().flatten().find(has).or_else(otherwise).unwrap_or(Self::All)
    }
}

/// The program whose lines of `fix` are printed by default, for the data of `sender` or for the connection as
/// a whole.
pub fn suggested_program(fix: &Fix, connection: &Connection, sender: Option<Side>) -> Option<Program> {
    let shown = ShownLines::of(fix, Code::Suggested, KnownServer::of(connection, sender));
    shown.lines.iter().find_map(|line| line.audience.programs().next())
}

/// The lines of a fix that are printed, and the programs for which it has other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownLines<'f> {
    pub(crate) lines: Vec<&'f FixLine>,
    pub(crate) others: Vec<Program>,
}

impl<'f> ShownLines<'f> {
    /// Selects the lines of `fix` that are printed.
    pub(crate) fn of(fix: &'f Fix, code: Code, server: Option<KnownServer>) -> Self {
        let chosen = Lines::of(fix, code, server);
        let (lines, hidden): (Vec<_>, Vec<_>) = fix.lines.iter().partition(|line| chosen.include(line.audience));
        let mut others: Vec<Program> = hidden.iter().flat_map(|line| line.audience.programs()).collect();
        others.sort_unstable();
        others.dedup();
        Self { lines, others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(fix: &Fix, code: Code, server: Option<KnownServer>) -> String {
        let shown = ShownLines::of(fix, code, server);
        shown.lines.iter().map(|line| line.code.unfilled().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn one_language_at_a_time() {
        let fix = tcpwhy_advice::remove_so_sndbuf();
        let java = codes(&fix, Code::For(Program::Java), None);
        assert!(java.contains("setSendBufferSize") && java.contains("bootstrap."), "{java}");
        assert_eq!(java.lines().count(), 2, "{java}");
        assert!(codes(&fix, Code::Suggested, None).starts_with("setsockopt(fd, SOL_SOCKET, SO_SNDBUF"));
        let shown = ShownLines::of(&fix, Code::For(Program::Java), None);
        assert!(shown.others.contains(&Program::C) && !shown.others.contains(&Program::Java));
        let all = ShownLines::of(&fix, Code::All, None);
        assert_eq!((all.lines.len(), all.others.len()), (fix.lines.len(), 0));
    }

    /// Commands for the host are for everybody; a fix that has only commands offers no choice.
    #[test]
    fn commands_are_always_printed() {
        let raise = tcpwhy_advice::raise_so_sndbuf(1 << 20);
        for code in [Code::Suggested, Code::For(Program::Go), Code::For(Program::Nginx)] {
            assert!(codes(&raise, code, None).contains("sysctl -w net.core.wmem_max"), "{code:?}");
        }
        let loss = tcpwhy_advice::fix_loss();
        let shown = ShownLines::of(&loss, Code::For(Program::Rust), None);
        assert_eq!((shown.lines.len(), shown.others.len()), (loss.lines.len(), 0));
    }

    /// A reader who asks for a language that the fix has no line for gets another line, not an empty fix.
    #[test]
    fn every_fix_shows_a_line() {
        let fixes = [tcpwhy_advice::enlarge_reads(), tcpwhy_advice::retire_idle_connections(60)];
        for fix in &fixes {
            for code in Program::ALL.iter().map(|program| Code::For(*program)).chain([Code::Suggested, Code::All]) {
                let shown = ShownLines::of(fix, code, None);
                assert!(!shown.lines.is_empty(), "{} {code:?}", fix.id);
            }
        }
        assert!(codes(&fixes[0], Code::For(Program::Kafka), None).starts_with("recv(fd"));
        // The fix has neither a command nor lines in C, so the first program's lines are printed.
        assert!(codes(&fixes[1], Code::Suggested, None).starts_with("http.Transport"));
    }

    #[test]
    fn the_port_of_the_server_suggests_its_lines() {
        let from = |sender| KnownServer::by_ports([40_000, 3306], Some(Side::A), Some(sender));
        let profile = tcpwhy_advice::profile_application();
        // The fix concerns its sender, which is first the server, then the client.
        assert!(codes(&profile, Code::Suggested, from(Side::B)).contains("slow_query_log"));
        assert!(!codes(&profile, Code::Suggested, from(Side::A)).contains("slow_query_log"));
        let pipeline = tcpwhy_advice::pipeline_requests(tcpwhy_advice::Pipelined::Requests);
        let of_clients = codes(&pipeline, Code::Suggested, from(Side::A));
        assert!(of_clients.contains("rewriteBatchedStatements") && !of_clients.contains("redis"), "{of_clients}");
        // The reader's choice overrides the suggestion of the port.
        let java = codes(&profile, Code::For(Program::Java), from(Side::B));
        assert!(java.contains("\njcmd") && !java.contains("slow_query_log"), "{java}");
    }

    #[test]
    fn a_port_of_the_client_suggests_nothing() {
        let known = |ports, client| KnownServer::by_ports(ports, client, Some(Side::A));
        assert_eq!(known([3306, 40_000], Some(Side::A)), None);
        let server = KnownServer { program: Program::MySql, sends: true };
        assert_eq!(known([3306, 40_000], Some(Side::B)), Some(server));
        assert_eq!(known([3306, 40_000], None), Some(server));
        assert_eq!(known([3306, 5432], None), None);
        assert_eq!(known([40_001, 40_000], None), None);
        let redis = KnownServer::by_ports([40_000, 6379], Some(Side::A), None).unwrap();
        let at_server = redis.lines_at(FixPlace::ReceivingHost).unwrap();
        assert!(at_server.include(Audience::Program(Program::Redis)));
    }
}
