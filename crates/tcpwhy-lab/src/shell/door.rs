//! The address at which later visitors find the link of the first.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::os::fd::AsFd as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::thread;

use nix::sys::signal::SigSet;
use rustix::net::sockopt::socket_peercred;
use rustix::process::{Uid, geteuid};

use super::channel::Channel;
use crate::LabError;
use tcpwhy_scenario::Scenario;

/// The socket where visitors of a link connect.
#[derive(Debug)]
pub struct Door(UnixListener);

impl Door {
    /// Opens the link of `scenario` to other processes of this user; `None` if another process has opened it
    /// already.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn open(scenario: &Scenario) -> Result<Option<Self>, LabError> {
        match address(scenario).and_then(|address| UnixListener::bind_addr(&address)) {
            Ok(listener) => Ok(Some(Self(listener))),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(LabError::io("opening the link to other shells", error)),
        }
    }

    /// Passes every visitor of this user to the worker behind `control`, on a thread of its own. `first` is
    /// passed before all others.
    ///
    /// # Errors
    /// If the worker cannot be reached, or no thread can be started.
    pub fn attend(self, control: UnixStream, first: &UnixStream) -> Result<(), LabError> {
        let failed = |error| LabError::io("opening the link to other shells", error);
        let control = Channel::new(control);
        control.send(&(), &[first.as_fd()]).map_err(failed)?;
        let attend = move || {
            // Signals belong to the thread that shows the program, because it must restore the terminal.
            let _ = SigSet::all().thread_block();
            for visitor in self.0.incoming() {
                let Ok(visitor) = visitor else { continue };
                // An abstract address has no permissions, so the user of each visitor is checked.
                if is_ours(&visitor) && control.send(&(), &[visitor.as_fd()]).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("door".to_owned()).spawn(attend).map_err(failed)?;
        Ok(())
    }
}

/// Connects to the process that keeps the link of `scenario`; `None` if there is none.
///
/// # Errors
/// If another user occupies its address.
pub fn join(scenario: &Scenario) -> Result<Option<UnixStream>, LabError> {
    let failed = |error| LabError::io("joining the link", error);
    match address(scenario).and_then(|address| UnixStream::connect_addr(&address)) {
        Ok(stream) if is_ours(&stream) => Ok(Some(stream)),
        Ok(_) => Err(failed(io::ErrorKind::PermissionDenied.into())),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// The address is abstract, so no file outlives its listener (`unix(7)`). The same user and the same scenario
/// give the same address.
fn address(scenario: &Scenario) -> io::Result<SocketAddr> {
    let text = scenario.to_toml().map_err(|error| io::Error::other(error.to_string()))?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let name = format!("tcpwhy-lab-shell-{}-{:016x}", geteuid().as_raw(), hasher.finish());
    SocketAddr::from_abstract_name(name)
}

/// Whether the other side is a process of this user.
fn is_ours(stream: &UnixStream) -> bool {
    let is_own = |uid: Uid| uid == geteuid();
    socket_peercred(stream).is_ok_and(|peer| is_own(peer.uid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::random;

    #[test]
    fn one_door_for_a_link() {
        let (one, other) = (random(u64::from(std::process::id()), 0), random(u64::from(std::process::id()), 1));
        assert!(join(&one).unwrap().is_none());
        let door = Door::open(&one).unwrap().unwrap();
        assert!(Door::open(&one).unwrap().is_none(), "it is taken");
        assert!(join(&one).unwrap().is_some() && join(&other).unwrap().is_none());
        drop(door);
        assert!(join(&one).unwrap().is_none(), "nothing is left");
    }
}
