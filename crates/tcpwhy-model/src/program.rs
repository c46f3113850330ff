//! Programming languages and servers for which fixes have lines.

macro_rules! programs {
    ($($(#[doc = $doc:literal])* $variant:ident = $id:literal, $name:literal;)+) => {
        /// A programming language, or a server with settings of its own, for which lines of fixes exist.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Program {
            $($(#[doc = $doc])* $variant,)+
        }

        impl Program {
            /// All programs, languages first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Stable kebab-case id, as in JSON and after `--code`.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }

            /// Official name, the same in every language.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

programs! {
    /// C and C++: the socket calls themselves.
    C = "c", "C";
    /// Java with its libraries (Netty, JDBC, Apache `HttpClient`).
    Java = "java", "Java";
    /// Go.
    Go = "go", "Go";
    /// Python.
    Python = "python", "Python";
    /// Node.js.
    Node = "node", "Node.js";
    /// .NET.
    DotNet = "dotnet", ".NET";
    /// Rust.
    Rust = "rust", "Rust";
    /// nginx.
    Nginx = "nginx", "nginx";
    /// Apache httpd.
    Apache = "apache", "Apache httpd";
    /// `HAProxy`.
    Haproxy = "haproxy", "HAProxy";
    /// Envoy.
    Envoy = "envoy", "Envoy";
    /// Tomcat.
    Tomcat = "tomcat", "Tomcat";
    /// `MySQL` and `MariaDB`.
    MySql = "mysql", "MySQL";
    /// `PostgreSQL`.
    PostgreSql = "postgresql", "PostgreSQL";
    /// Redis.
    Redis = "redis", "Redis";
    /// Kafka.
    Kafka = "kafka", "Kafka";
    /// OpenSSH and other programs that speak SSH or SFTP.
    Ssh = "ssh", "SSH";
    /// Samba, and rsync, which has the same settings.
    Samba = "samba", "Samba";
    /// `ProFTPD`.
    ProFtpd = "proftpd", "ProFTPD";
    /// `OpenVPN`.
    OpenVpn = "openvpn", "OpenVPN";
    /// iperf3.
    Iperf3 = "iperf3", "iperf3";
    /// Docker, Kubernetes and their networks.
    Containers = "containers", "Docker, Kubernetes";
}

impl Program {
    /// The program with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|program| program.id() == id)
    }
}

/// Readers for whom a line of a fix is useful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// A command or a setting of the host, independent of the program.
    Host,
    /// Code in this language, or a setting of this server.
    Program(Program),
    /// A client library in `language` that speaks to `server`.
    Client {
        /// Server whose protocol it speaks.
        server: Program,
        /// Language of the client library.
        language: Program,
    },
}

impl Audience {
    /// Programs to which the line applies; none for a line for every host.
    pub fn programs(self) -> impl Iterator<Item = Program> {
        let (first, second) = match self {
            Self::Host => (None, None),
            Self::Program(program) => (Some(program), None),
            Self::Client { server, language } => (Some(language), Some(server)),
        };
        first.into_iter().chain(second)
    }

    /// Whether the line applies to `program`.
    pub fn includes(self, program: Program) -> bool {
        self.programs().any(|p| p == program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_one_program() {
        for program in Program::ALL {
            assert_eq!(Program::from_id(program.id()), Some(*program));
        }
        assert_eq!(Program::from_id("all"), None);
    }
}
