//! TAP devices, and device settings that need `ioctl()`.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::fs::OpenOptionsExt as _;

use libc::{c_int, c_ulong};

use super::check;

/// `ETHTOOL_STSO`, `ETHTOOL_SGSO`, `ETHTOOL_SGRO` of `linux/ethtool.h`.
const OFFLOADS: [u32; 3] = [0x1f, 0x24, 0x2c];

/// Opens a TAP device with this name in this thread's namespace. Each frame has a `virtio_net_hdr` of 10
/// bytes before it. With `has_tso`, the kernel leaves segmentation and checksums to the device. Reads and
/// writes do not block.
/// Documentation/networking/tuntap.rst; `__tun_chr_ioctl` of drivers/net/tun.c.
pub(crate) fn open_tap(name: &str, has_tso: bool) -> io::Result<File> {
    let tap = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open("/dev/net/tun")?;
    let mut request = request(name)?;
    request.ifr_ifru.ifru_flags = (libc::IFF_TAP | libc::IFF_NO_PI | libc::IFF_VNET_HDR) as i16;
    let header: c_int = 10;
    let offloads = if has_tso { libc::TUN_F_CSUM | libc::TUN_F_TSO4 | libc::TUN_F_TSO6 } else { 0 };
    // SAFETY: TUNSETIFF reads and writes an ifreq, which outlives the call.
    check(unsafe { libc::ioctl(tap.as_raw_fd(), libc::TUNSETIFF as c_ulong as _, &raw mut request) })?;
    // SAFETY: TUNSETVNETHDRSZ reads an int.
    check(unsafe { libc::ioctl(tap.as_raw_fd(), libc::TUNSETVNETHDRSZ as c_ulong as _, &raw const header) })?;
    // SAFETY: TUNSETOFFLOAD takes its argument by value.
    check(unsafe { libc::ioctl(tap.as_raw_fd(), libc::TUNSETOFFLOAD as c_ulong as _, c_ulong::from(offloads)) })?;
    Ok(tap)
}

/// Disables TSO, GSO and GRO. netdevice(7); `__dev_ethtool` of net/ethtool/ioctl.c.
pub(crate) fn turn_offloads_off(name: &str) -> io::Result<()> {
    #[repr(C)]
    struct EthtoolValue {
        cmd: u32,
        data: u32,
    }
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::DGRAM, None)?;
    for cmd in OFFLOADS {
        let mut value = EthtoolValue { cmd, data: 0 };
        let mut request = request(name)?;
        request.ifr_ifru.ifru_data = (&raw mut value).cast();
        // SAFETY: SIOCETHTOOL reads an ifreq whose data points to an ethtool_value; both outlive the call.
        check(unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), libc::SIOCETHTOOL as c_ulong as _, &raw mut request) })?;
    }
    Ok(())
}

fn request(name: &str) -> io::Result<libc::ifreq> {
    if name.len() >= libc::IFNAMSIZ {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: all zeros is a valid ifreq.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, &from) in request.ifr_name.iter_mut().zip(name.as_bytes()) {
        *to = from as libc::c_char;
    }
    Ok(request)
}
