//! The kernel's ring of captured packets: `AF_PACKET` with `TPACKET_V3`
//! (`Documentation/networking/packet_mmap.rst`).
//!
//! A plain packet socket keeps a clone of every packet until it is read. That disturbs the sender's TCP,
//! which may not merge or change segments with another owner. The ring copies the first bytes at once.

#![allow(unsafe_code, reason = "the packet ring is memory shared with the kernel, and no library knows its options")]

use std::ffi::{CString, c_int, c_void};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with, sockopt};
use tcpwhy_model::Timestamp;

use super::packet_filter::Capturing;

/// Age at which the kernel hands over a block that is not full. With this many blocks, the reader may sleep
/// for 1 s or more.
const RETIRE: Duration = Duration::from_millis(20);
const BLOCK: usize = 256 * 1024;
const FRAME: usize = 2048;

/// Size of the ring for a reader that does nothing else, in blocks: 16 MB.
pub const SMALL_RING: usize = 64;

/// <https://www.tcpdump.org/linktypes.html>
const LINKTYPE_ETHERNET: u16 = 1;

/// The interfaces whose packets are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface<'a> {
    /// All interfaces of the network namespace.
    Any,
    /// The interface with this name.
    Named(&'a str),
}

/// Packets of one interface or of all, in both directions.
#[derive(Debug)]
pub struct PacketRing {
    socket: OwnedFd,
    memory: NonNull<c_void>,
    blocks: usize,
    next: usize,
    /// Whether packets come without a link header, so that a header of [`PacketRing::COOKED`] replaces it.
    is_cooked: bool,
}

// SAFETY: the mapping belongs to this value alone and is not tied to a thread.
unsafe impl Send for PacketRing {}

/// A packet of a block.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// Time at which the kernel saw it.
    pub time: Timestamp,
    /// Its first bytes, from the link header on.
    pub data: &'a [u8],
    /// Its original length including the link header, bytes.
    pub original_len: u32,
}

/// The kernel's counts of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketCounts {
    /// Packets that the filter accepted, including lost ones.
    pub packets: u64,
    /// Accepted packets that were lost because the ring was full.
    pub drops: u64,
}

impl PacketRing {
    /// `LINKTYPE_LINUX_SLL2`: a header for packets of any kind of link
    /// (<https://www.tcpdump.org/linktypes.html>).
    pub const COOKED: u16 = 276;

    /// Starts a capture in this thread's network namespace. `blocks` of 256 kB each can wait to be read.
    ///
    /// # Errors
    /// Without the `CAP_NET_RAW` capability in this namespace, if the interface is missing or down, or
    /// without memory for the ring.
    pub fn open(interface: Interface<'_>, capturing: Capturing, blocks: usize) -> io::Result<Self> {
        // With protocol 0, no packet arrives before `bind` sets the protocol.
        let new = |kind| socket_with(AddressFamily::PACKET, kind, SocketFlags::CLOEXEC, None);
        let mut socket = new(SocketType::RAW)?;
        let (index, is_cooked) = match interface {
            Interface::Any => (0, true),
            Interface::Named(name) => {
                let index = index(name)?;
                (index, !has_ethernet_header(&socket, name)?)
            }
        };
        if is_cooked {
            socket = new(SocketType::DGRAM)?;
        }
        let mut program = capturing.program(is_cooked);
        let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
        set(&socket, libc::SOL_SOCKET, libc::SO_ATTACH_FILTER, &program)?;
        // The filter is locked, so another process that gets the socket cannot capture other packets.
        set(&socket, libc::SOL_SOCKET, libc::SO_LOCK_FILTER, &1)?;
        set(&socket, libc::SOL_PACKET, libc::PACKET_VERSION, &(libc::tpacket_versions::TPACKET_V3 as c_int))?;
        let request = libc::tpacket_req3 {
            tp_block_size: BLOCK as u32,
            tp_block_nr: blocks as u32,
            tp_frame_size: FRAME as u32,
            tp_frame_nr: (BLOCK / FRAME * blocks) as u32,
            tp_retire_blk_tov: RETIRE.as_millis() as u32,
            tp_sizeof_priv: 0,
            tp_feature_req_word: 0,
        };
        set(&socket, libc::SOL_PACKET, libc::PACKET_RX_RING, &request)?;
        // SAFETY: a fresh shared mapping of a ring that has exactly this size; nothing else points into it.
        let memory = unsafe {
            mmap(
                std::ptr::null_mut(),
                BLOCK * blocks,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                socket.as_fd(),
                0,
            )
        }?;
        let memory = NonNull::new(memory).ok_or_else(|| io::Error::other("the packet ring is mapped at 0"))?;
        let ring = Self { socket, memory, blocks, next: 0, is_cooked };
        bind(&ring.socket, index)?;
        // Binding to an interface that is down succeeds, and the first read would return the error.
        sockopt::socket_error(&ring.socket)??;
        Ok(ring)
    }

    /// The format of [`Packet::data`], as a link type of capture files.
    pub const fn link_type(&self) -> u16 {
        if self.is_cooked { Self::COOKED } else { LINKTYPE_ETHERNET }
    }

    /// Longest time from a packet to its hand-over.
    pub const fn patience() -> Duration {
        RETIRE
    }

    /// Waits until a block is ready or `timeout` has passed.
    ///
    /// # Errors
    /// If the interface went down or disappeared.
    pub fn wait(&self, timeout: Duration) -> io::Result<()> {
        let timeout = Timespec { tv_sec: timeout.as_secs().cast_signed(), tv_nsec: timeout.subsec_nanos().into() };
        let mut watched = [PollFd::new(&self.socket, PollFlags::IN)];
        match poll(&mut watched, Some(&timeout)) {
            Err(rustix::io::Errno::INTR) => return Ok(()),
            result => result?,
        };
        if watched[0].revents().contains(PollFlags::ERR) {
            sockopt::socket_error(&self.socket)??;
        }
        Ok(())
    }

    /// Passes the packets of the next block to `each`. Returns whether a block was ready.
    ///
    /// # Errors
    /// The errors of `each`, and an error if the kernel's block contradicts itself.
    pub fn take_block(&mut self, mut each: impl FnMut(Packet<'_>) -> io::Result<()>) -> io::Result<bool> {
        // SAFETY: `next` is below `blocks`, so the block is within the mapping. Its descriptor is at its
        // start and aligned, because blocks are pages.
        let descriptor = unsafe { self.memory.cast::<u8>().add(self.next * BLOCK).cast::<libc::tpacket_block_desc>() };
        // SAFETY: in the mapping and aligned; the kernel writes this field while others read it, so it is
        // atomic.
        let status = unsafe {
            let field = &raw mut (*descriptor.as_ptr()).hdr.bh1.block_status;
            AtomicU32::from_ptr(field)
        };
        if status.load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
            return Ok(false);
        }
        // SAFETY: the block belongs to this process until the status changes; the kernel does not write to
        // it.
        let block = unsafe { std::slice::from_raw_parts(descriptor.as_ptr().cast::<u8>(), BLOCK) };
        // SAFETY: as above; the only variant of this union.
        let (packets, first) = unsafe {
            let header = &descriptor.as_ref().hdr.bh1;
            (header.num_pkts, header.offset_to_first_pkt)
        };
        let result = each_packet(block, packets, first as usize, self.is_cooked, &mut each);
        status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
        self.next = (self.next + 1) % self.blocks;
        result.map(|()| true)
    }

    /// Packets counted since the previous call.
    ///
    /// # Errors
    /// If `getsockopt` fails, for which the kernel has no reason.
    pub fn counts(&self) -> io::Result<PacketCounts> {
        let mut stats = libc::tpacket_stats_v3 { tp_packets: 0, tp_drops: 0, tp_freeze_q_cnt: 0 };
        let mut length = size_of_val(&stats) as libc::socklen_t;
        // SAFETY: `stats` and `length` live through the call, and `length` is the size of `stats`.
        let result = unsafe {
            libc::getsockopt(
                self.socket.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                std::ptr::from_mut(&mut stats).cast(),
                &raw mut length,
            )
        };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(PacketCounts { packets: stats.tp_packets.into(), drops: stats.tp_drops.into() })
    }
}

impl Drop for PacketRing {
    fn drop(&mut self) {
        // SAFETY: mapped with this size by `open`; no reference into it outlives `take_block`.
        let _ = unsafe { munmap(self.memory.as_ptr(), BLOCK * self.blocks) };
    }
}

fn each_packet(
    block: &[u8],
    packets: u32,
    first: usize,
    is_cooked: bool,
    each: &mut impl FnMut(Packet<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let damaged = || io::Error::other("a packet lies outside its block");
    let mut with_header = Vec::new();
    let mut at = first;
    for _ in 0..packets {
        let bytes = block.get(at..at + size_of::<libc::tpacket3_hdr>()).ok_or_else(damaged)?;
        // SAFETY: `bytes` has the size of the header, which is plain numbers; read without regard to
        // alignment.
        let header = unsafe { bytes.as_ptr().cast::<libc::tpacket3_hdr>().read_unaligned() };
        let start = at + usize::from(header.tp_mac);
        let data = block.get(start..start + header.tp_snaplen as usize).ok_or_else(damaged)?;
        let time = Timestamp::from_nanos(i64::from(header.tp_sec) * 1_000_000_000 + i64::from(header.tp_nsec));
        let mut packet = Packet { time, data, original_len: header.tp_len };
        if is_cooked {
            // The address of a packet in a ring follows its header, which is aligned to 16 bytes.
            let address_at = at + size_of::<libc::tpacket3_hdr>().next_multiple_of(libc::TPACKET_ALIGNMENT);
            let bytes = block.get(address_at..address_at + size_of::<libc::sockaddr_ll>()).ok_or_else(damaged)?;
            // SAFETY: `bytes` has the size of the address, which is plain numbers; read without regard to
            // alignment.
            let address = unsafe { bytes.as_ptr().cast::<libc::sockaddr_ll>().read_unaligned() };
            cook(&mut with_header, &address, data);
            packet = Packet { data: &with_header, original_len: header.tp_len + SLL2 as u32, ..packet };
        } else if header.tp_status & libc::TP_STATUS_VLAN_VALID != 0 && data.len() >= ADDRESSES {
            tag(&mut with_header, &header, data);
            packet = Packet { data: &with_header, original_len: header.tp_len + 4, ..packet };
        }
        each(packet)?;
        at += header.tp_next_offset as usize;
    }
    Ok(())
}

/// Size of a header of [`PacketRing::COOKED`], bytes.
const SLL2: usize = 20;

/// Adds a header of [`PacketRing::COOKED`] to a packet without a link header.
fn cook(out: &mut Vec<u8>, address: &libc::sockaddr_ll, data: &[u8]) {
    // For a VLAN tag that software inserted, the kernel reports the tag's protocol, although the tag is not
    // in the bytes.
    let protocol = match data.first().map(|byte| byte >> 4) {
        Some(4) => (libc::ETH_P_IP as u16).to_be_bytes(),
        Some(6) => (libc::ETH_P_IPV6 as u16).to_be_bytes(),
        _ => address.sll_protocol.to_ne_bytes(),
    };
    out.clear();
    out.extend(protocol);
    out.extend([0; 2]);
    out.extend(address.sll_ifindex.to_be_bytes());
    out.extend(address.sll_hatype.to_be_bytes());
    out.extend([address.sll_pkttype, address.sll_halen]);
    out.extend(address.sll_addr);
    out.extend(data);
}

/// Size of two Ethernet addresses, bytes.
const ADDRESSES: usize = 12;

/// Inserts the VLAN tag that the kernel removed.
fn tag(out: &mut Vec<u8>, header: &libc::tpacket3_hdr, data: &[u8]) {
    let protocol = match header.hv1.tp_vlan_tpid {
        known if header.tp_status & libc::TP_STATUS_VLAN_TPID_VALID != 0 => known,
        _ => libc::ETH_P_8021Q as u16,
    };
    let (addresses, rest) = data.split_at(ADDRESSES);
    out.clear();
    out.extend(addresses);
    out.extend(protocol.to_be_bytes());
    out.extend((header.hv1.tp_vlan_tci as u16).to_be_bytes());
    out.extend(rest);
}

fn set<T>(socket: &OwnedFd, level: c_int, option: c_int, value: &T) -> io::Result<()> {
    // SAFETY: `value` lives through the call and has the size that is given.
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            option,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn index(interface: &str) -> io::Result<c_int> {
    let name = CString::new(interface)?;
    // SAFETY: a string that ends with 0 and lives through the call.
    let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
    if index == 0 { Err(io::Error::last_os_error()) } else { Ok(index.cast_signed()) }
}

/// Whether packets have an Ethernet header, by the hardware type (`SIOCGIFHWADDR`). Loopbacks have one too;
/// tunnels and wireless monitors do not.
fn has_ethernet_header(socket: &OwnedFd, interface: &str) -> io::Result<bool> {
    // SAFETY: plain numbers, of which 0 is a value.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    // The name must end with 0, so the last byte is not written.
    let room = request.ifr_name.len() - 1;
    for (to, from) in request.ifr_name.iter_mut().zip(interface.bytes().take(room)) {
        *to = from.cast_signed() as libc::c_char;
    }
    // SAFETY: the request reads and writes one `ifreq`, which lives through the call.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCGIFHWADDR as libc::Ioctl, &raw mut request) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: what this request writes into the union.
    let kind = unsafe { request.ifr_ifru.ifru_hwaddr.sa_family };
    Ok(matches!(kind, libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK))
}

/// Binds to an interface by its index; 0 means all of them.
fn bind(socket: &OwnedFd, index: c_int) -> io::Result<()> {
    let address = libc::sockaddr_ll {
        sll_family: libc::AF_PACKET as u16,
        sll_protocol: (libc::ETH_P_ALL as u16).to_be(),
        sll_ifindex: index,
        sll_hatype: 0,
        sll_pkttype: 0,
        sll_halen: 0,
        sll_addr: [0; 8],
    };
    // SAFETY: `address` lives through the call and has the size that is given.
    let result = unsafe {
        libc::bind(socket.as_raw_fd(), std::ptr::from_ref(&address).cast(), size_of_val(&address) as libc::socklen_t)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
