//! The kernel's ring of captured packets: `AF_PACKET` with `TPACKET_V3` (`Documentation/networking/packet_mmap.rst`).
//!
//! A plain packet socket would keep a clone of every packet until it is read, which the sender's TCP notices: it may not merge
//! or change segments that somebody else holds. The ring takes a copy of the first bytes at once.

#![allow(unsafe_code, reason = "the packet ring is memory shared with the kernel")]

use std::ffi::{CString, c_int, c_void};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use socket2::{Domain, SockFilter, Socket, Type};

/// Blocks are handed over when they are full or this old. With so many of them the reader may sleep for a second and more.
const RETIRE: Duration = Duration::from_millis(20);
const BLOCK: usize = 256 * 1024;
const BLOCKS: usize = 64;
const FRAME: usize = 2048;

/// `BPF_RET | BPF_K`.
const RETURN_CONSTANT: u16 = 0x06;

/// Packets of one device, in both directions.
pub(super) struct Ring {
    socket: Socket,
    memory: NonNull<c_void>,
    next: usize,
}

// SAFETY: the mapping belongs to this value alone and is not tied to a thread.
unsafe impl Send for Ring {}

/// A packet of a block.
pub(super) struct Packet<'a> {
    /// Since the epoch, nanoseconds.
    pub nanos: i64,
    /// Its first bytes, from the Ethernet header on.
    pub data: &'a [u8],
    /// Its length as the kernel handled it.
    pub original_len: u32,
}

/// What the kernel counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Packets that passed the device, lost ones included.
    pub packets: u64,
    /// Of those, not in the ring: it was full.
    pub drops: u64,
}

impl Ring {
    /// Captures from now on, of this thread's network namespace, `snaplen` bytes of each packet.
    pub(super) fn open(device: &str, snaplen: u32) -> io::Result<Self> {
        // Of protocol 0 nothing arrives before `bind` says which.
        let socket = Socket::new(Domain::PACKET, Type::RAW.cloexec(), None)?;
        socket.attach_filter(&[SockFilter::new(RETURN_CONSTANT, 0, 0, snaplen)])?;
        set(&socket, libc::PACKET_VERSION, &(libc::tpacket_versions::TPACKET_V3 as c_int))?;
        let request = libc::tpacket_req3 {
            tp_block_size: BLOCK as u32,
            tp_block_nr: BLOCKS as u32,
            tp_frame_size: FRAME as u32,
            tp_frame_nr: (BLOCK / FRAME * BLOCKS) as u32,
            tp_retire_blk_tov: RETIRE.as_millis() as u32,
            tp_sizeof_priv: 0,
            tp_feature_req_word: 0,
        };
        set(&socket, libc::PACKET_RX_RING, &request)?;
        // SAFETY: a fresh shared mapping of a ring that has exactly this size; nothing else points into it.
        let memory = unsafe {
            mmap(
                std::ptr::null_mut(),
                BLOCK * BLOCKS,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                socket.as_fd(),
                0,
            )
        }?;
        let memory = NonNull::new(memory).ok_or_else(|| io::Error::other("the packet ring is mapped at 0"))?;
        let ring = Self { socket, memory, next: 0 };
        bind(&ring.socket, device)?;
        Ok(ring)
    }

    /// How long a packet may take to be handed over.
    pub(super) const fn patience() -> Duration {
        RETIRE
    }

    /// Waits until a block is there or `timeout` has passed.
    pub(super) fn wait(&self, timeout: Duration) -> io::Result<()> {
        let timeout = Timespec { tv_sec: timeout.as_secs().cast_signed(), tv_nsec: timeout.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the packets of the next block to `each`; whether there was one.
    pub(super) fn take_block(&mut self, mut each: impl FnMut(Packet<'_>) -> io::Result<()>) -> io::Result<bool> {
        // SAFETY: `next` is below BLOCKS, so the block lies in the mapping. Its descriptor begins it, suitably aligned (blocks
        // are pages).
        let descriptor = unsafe { self.memory.cast::<u8>().add(self.next * BLOCK).cast::<libc::tpacket_block_desc>() };
        // SAFETY: in the mapping and aligned; the kernel writes this field while others read it, so it is atomic.
        let status = unsafe {
            let field = &raw mut (*descriptor.as_ptr()).hdr.bh1.block_status;
            AtomicU32::from_ptr(field)
        };
        if status.load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
            return Ok(false);
        }
        // SAFETY: the block is ours until the status says otherwise: the kernel does not write to it.
        let block = unsafe { std::slice::from_raw_parts(descriptor.as_ptr().cast::<u8>(), BLOCK) };
        // SAFETY: as above; the only variant of this union.
        let (packets, first) = unsafe {
            let header = &descriptor.as_ref().hdr.bh1;
            (header.num_pkts, header.offset_to_first_pkt)
        };
        let result = each_packet(block, packets, first as usize, &mut each);
        status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
        self.next = (self.next + 1) % BLOCKS;
        result.map(|()| true)
    }

    /// What was counted since this was last asked.
    pub(super) fn counts(&self) -> io::Result<Counts> {
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
        Ok(Counts { packets: stats.tp_packets.into(), drops: stats.tp_drops.into() })
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: mapped with this size by `open`; no reference into it outlives `take_block`.
        let _ = unsafe { munmap(self.memory.as_ptr(), BLOCK * BLOCKS) };
    }
}

fn each_packet(
    block: &[u8],
    packets: u32,
    first: usize,
    each: &mut impl FnMut(Packet<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let damaged = || io::Error::other("a packet lies outside its block");
    let mut at = first;
    for _ in 0..packets {
        let bytes = block.get(at..at + size_of::<libc::tpacket3_hdr>()).ok_or_else(damaged)?;
        // SAFETY: `bytes` has the size of the header, which is plain numbers; read without regard to alignment.
        let header = unsafe { bytes.as_ptr().cast::<libc::tpacket3_hdr>().read_unaligned() };
        let start = at + usize::from(header.tp_mac);
        each(Packet {
            nanos: i64::from(header.tp_sec) * 1_000_000_000 + i64::from(header.tp_nsec),
            data: block.get(start..start + header.tp_snaplen as usize).ok_or_else(damaged)?,
            original_len: header.tp_len,
        })?;
        at += header.tp_next_offset as usize;
    }
    Ok(())
}

fn set<T>(socket: &Socket, option: c_int, value: &T) -> io::Result<()> {
    // SAFETY: `value` lives through the call and has the size that is given.
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            option,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn bind(socket: &Socket, device: &str) -> io::Result<()> {
    let name = CString::new(device)?;
    // SAFETY: a string that ends with 0 and lives through the call.
    let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
    if index == 0 {
        return Err(io::Error::last_os_error());
    }
    let address = libc::sockaddr_ll {
        sll_family: libc::AF_PACKET as u16,
        sll_protocol: (libc::ETH_P_ALL as u16).to_be(),
        sll_ifindex: index.cast_signed(),
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
