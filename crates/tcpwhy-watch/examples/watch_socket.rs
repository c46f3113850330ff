//! Watches one connection of this host: seconds under each limit, and what the kernel's own clocks count.
//!
//! ```sh
//! cargo run --example watch_socket                                  # a transfer of its own
//! cargo run --example watch_socket -- 10.0.0.1:443 10.0.0.2:50000   # local end, other end
//! ```

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::net::SocketAddr;

    let ends = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<Vec<SocketAddr>, _>>()?;
    if let [local, peer] = ends[..] {
        return linux::watch(local, peer);
    }
    let (client, server) = linux::slow_transfer()?;
    let watched = linux::watch(client.local_addr()?, client.peer_addr()?);
    drop((client, server));
    watched
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("sockets are read on Linux only");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::error::Error;
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::thread;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use tcpwhy_live::{BlockedTime, SockDiag};
    use tcpwhy_watch::{KernelSample, LiveHost, SocketKey, Timestamp};

    /// 2 s at 100 samples per second.
    const SAMPLES: u32 = 200;
    const EVERY: Duration = Duration::from_millis(10);

    /// Samples the connection between `local` and `peer`, and prints where its time went.
    pub(crate) fn watch(local: SocketAddr, peer: SocketAddr) -> Result<(), Box<dyn Error>> {
        let mut kernel = SockDiag::open()?;
        let id = kernel.find(local, peer)?.ok_or("this host has no such connection")?;
        // One network namespace is watched, so any number stands for it.
        let key = SocketKey { namespace: 0, cookie: id.cookie() };
        let mut host = LiveHost::new();
        for _ in 0..SAMPLES {
            let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
            let time = Timestamp::from_nanos(i64::try_from(now.as_nanos())?);
            kernel.ask(&[id], |_, socket| match socket {
                Some((socket, _)) => host.observe(KernelSample { time, key, socket }),
                None => host.forget(key),
            })?;
            thread::sleep(EVERY);
        }
        host.finish();
        let ended = host.take_ended();
        let connection =
            ended.first().map(AsRef::as_ref).or_else(|| host.connection(key)).ok_or("it was never seen")?;
        println!("{local} → {peer}");
        for total in connection.limits().totals() {
            println!("{:>7.2} s  {}", total.nanos as f64 / 1e9, total.cause);
        }
        for half in connection.conclude().halves {
            if let Some(cause) = half.verdict.cause {
                println!("limited most by {cause}, confidence {:.0} %", 100.0 * half.verdict.confidence);
            }
        }
        // Since the socket was opened, also before it was watched.
        println!("{:?}", BlockedTime::from(&connection.socket().info));
        Ok(())
    }

    /// A transfer over loopback whose reader rests for 100 ms after each read.
    pub(crate) fn slow_transfer() -> std::io::Result<(TcpStream, thread::JoinHandle<()>)> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let client = TcpStream::connect(listener.local_addr()?)?;
        let (mut server, _) = listener.accept()?;
        let mut writer = client.try_clone()?;
        thread::spawn(move || while writer.write_all(&[7; 8192]).is_ok() {});
        let reader = thread::spawn(move || {
            let mut buffer = vec![0; 1 << 20];
            while let Ok(1..) = server.read(&mut buffer) {
                thread::sleep(Duration::from_millis(100));
            }
        });
        Ok((client, reader))
    }
}
