//! `tcpwhy serve` as a process, and clients that send raw bytes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A test that waits longer for a response fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A regular client gets a response within milliseconds; the limit allows for a busy machine. It is shorter
/// than the 10 s after which the server closes silent connections.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(5);

/// Unit in which Linux counts CPU time.
pub(crate) const CPU_TICK: Duration = Duration::from_millis(10);

/// A separate server for a test, which ends with it.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// Status, headers and content of a response.
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

    /// Starts `command` and reads its address.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let printed = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n")).expect(&line);
        let (address, token) = printed.split_once('/').expect(&line);
        Self { address: address.parse().unwrap(), token: token.to_owned(), child }
    }

    /// `path` after the token.
    pub(crate) fn path(&self, path: &str) -> String {
        format!("/{}/{path}", self.token)
    }

    /// A connection with a read timeout.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect_timeout(&self.address, PATIENCE).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// All data received after sending `bytes`, until the server closes.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may close before the last byte.
        let _ = stream.write_all(bytes);
        rest(&mut stream)
    }

    /// The response to a request with exactly this target.
    pub(crate) fn ask(&self, method: &str, target: &str, headers: &str) -> Answer {
        let request = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        Answer::parse(&self.exchange(request.as_bytes()))
    }

    /// The response to a regular client that requests `path` after the token.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", &self.path(path), &self.host())
    }

    /// The `Host` header of a regular client.
    pub(crate) fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }

    /// Fails unless a regular client gets the page within [`AT_ONCE`].
    #[track_caller]
    pub(crate) fn check(&self) {
        let start = Instant::now();
        let answer = self.get("");
        let elapsed = start.elapsed();
        assert_eq!(answer.status, 200, "{}", answer.head);
        assert!(answer.body.ends_with("</html>\n"));
        assert!(elapsed < AT_ONCE, "{elapsed:?}");
    }

    /// CPU time of the server.
    pub(crate) fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        // The fields utime and stime.
        CPU_TICK * (fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap())
    }

    /// Numbers of its open descriptors.
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

/// All data until the other side closes or the timeout passes.
pub(crate) fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    let start = Instant::now();
    let outcome = stream.read_to_end(&mut answer);
    assert!(start.elapsed() < PATIENCE, "nothing came, and the connection stayed open: {outcome:?}");
    answer
}
