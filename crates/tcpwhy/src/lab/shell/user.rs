//! The user that runs the program.

use nix::unistd::User;
use tcpwhy_lab::shell::ShellUser;
use tcpwhy_model::foreign::quoted;
use tcpwhy_rights::{Identity, caller};

use crate::message::failure;
use crate::wrong::{Result, bail};

/// Root's name on every Linux.
const ROOT: &str = "root";

/// The user `name`. Without a name, root becomes the caller of sudo, else `nobody`. It stays root only on
/// request.
///
/// # Errors If the user does not exist, or the process would need to be root to become that user.
pub(super) fn user(name: Option<&str>) -> Result<ShellUser> {
    let is_root = nix::unistd::geteuid().is_root();
    let Some(name) = name else {
        return Ok(if is_root { of(caller().unwrap_or_else(Identity::of_foreign)) } else { ShellUser::Own });
    };
    if name == ROOT {
        return Ok(ShellUser::Root);
    }
    let Ok(Some(user)) = User::from_name(name) else {
        bail!(failure("lab-no-user").with("user", quoted(name)));
    };
    let user = ShellUser::Other { uid: user.uid.as_raw(), gid: user.gid.as_raw() };
    if is_root {
        return Ok(user);
    }
    let own = ShellUser::Other { uid: nix::unistd::geteuid().as_raw(), gid: nix::unistd::getegid().as_raw() };
    if user == own {
        return Ok(ShellUser::Own);
    }
    bail!(failure("lab-user-needs-root").with("user", quoted(name)))
}

const fn of(identity: Identity) -> ShellUser {
    match identity {
        Identity::Own => ShellUser::Own,
        Identity::Other { uid, gid } => ShellUser::Other { uid, gid },
    }
}
