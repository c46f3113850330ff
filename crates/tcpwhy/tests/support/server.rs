//! Runs `tcpwhy serve`, with clients that send raw bytes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A test that waits longer for an answer has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Time for an answer to an honest client. It takes milliseconds, but the machine may be busy with other
/// tests. It is shorter than every timeout of the server.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(5);

/// What the system counts processor time in, on every Linux.
pub(crate) const CPU_TICK: Duration = Duration::from_millis(10);

/// A server of its own for a test; ends with it.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// Status, headers and content of an answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    /// Serves a capture.
    pub(crate) fn start(capture: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(crate::support::program());
        command.arg("serve").arg(capture).args(arguments);
        Self::spawn(command)
    }

    /// As `command` says.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let printed = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n")).expect(&line);
        let (address, token) = printed.split_once('/').expect(&line);
        Self { address: address.parse().unwrap(), token: token.to_owned(), child }
    }

    /// `path` behind the token.
    pub(crate) fn path(&self, path: &str) -> String {
        format!("/{}/{path}", self.token)
    }

    /// A connection that gives up when nothing comes.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect_timeout(&self.address, PATIENCE).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// All that comes back for `bytes` until the server closes.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may have seen enough before the last byte.
        let _ = stream.write_all(bytes);
        rest(&mut stream)
    }

    /// The answer to a request for an unmodified path.
    pub(crate) fn ask(&self, method: &str, target: &str, headers: &str) -> Answer {
        let request = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        Answer::parse(&self.exchange(request.as_bytes()))
    }

    /// The answer to an honest client that asks for `path` behind the token.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", &self.path(path), &self.host())
    }

    /// The `Host` header of an honest client.
    pub(crate) fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }

    /// Fails unless an honest client gets the page about at once.
    #[track_caller]
    pub(crate) fn check(&self) {
        let start = Instant::now();
        let answer = self.get("");
        let elapsed = start.elapsed();
        assert_eq!(answer.status, 200, "{}", answer.head);
        assert!(answer.body.ends_with("</html>\n"));
        assert!(elapsed < AT_ONCE, "{elapsed:?}");
    }

    /// Processor time that it has used.
    pub(crate) fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        // utime and stime.
        CPU_TICK * (fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap())
    }

    /// The descriptors that it has open.
    pub(crate) fn open_files(&self) -> Vec<u64> {
        let folder = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap();
        folder.map(|file| file.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect()
    }

    /// Sends a signal and waits for the end.
    pub(crate) fn end_by(&mut self, signal: &str) -> ExitStatus {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "{signal} does not end it");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    #[track_caller]
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.get(9..12).and_then(|s| s.parse().ok()).unwrap_or_else(|| panic!("{head}"));
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }
}

/// All that comes until the other end closes or gives up.
pub(crate) fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    let start = Instant::now();
    let outcome = stream.read_to_end(&mut answer);
    assert!(start.elapsed() < PATIENCE, "nothing came, and the connection stayed open: {outcome:?}");
    answer
}
