//! Decoder of `struct tcp_info`. Each kernel release may append fields, so only the fields that are present
//! are read.

use tcpwhy_model::host::TcpInfo;

/// Decodes all fields that `bytes` contains completely, in this machine's byte order
/// (`include/uapi/linux/tcp.h`, Linux 6.18). Fields beyond the end of `bytes` are `None`.
pub fn decode(bytes: &[u8]) -> TcpInfo {
    let u8_at = |at: usize| bytes.get(at).map(|&b| u64::from(b));
    let u16_at = |at: usize| bytes.get(at..at + 2).map(|b| u64::from(u16::from_ne_bytes([b[0], b[1]])));
    let u32_at = |at: usize| bytes.get(at..at + 4).map(|b| u64::from(u32::from_ne_bytes([b[0], b[1], b[2], b[3]])));
    let u64_at =
        |at: usize| bytes.get(at..at + 8).map(|b| u64::from_ne_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]));
    let options = u8_at(5);
    let option = |bit: u64| options.map(|o| u64::from(o & bit != 0));
    let has_scaling = options.is_some_and(|o| o & OPT_WSCALE != 0);
    // The order of bit fields depends on the machine: the first nibble is the low one if it is little-endian,
    // otherwise the high one.
    let nibble = |is_first: bool| {
        let byte = u8_at(6).filter(|_| has_scaling)?;
        Some(if is_first == cfg!(target_endian = "little") { byte & 0xf } else { byte >> 4 })
    };
    let app_limited_bit = if cfg!(target_endian = "little") { 1 } else { 0x80 };
    TcpInfo {
        ca_state: u8_at(1),
        retransmits: u8_at(2),
        probes: u8_at(3),
        backoff: u8_at(4),
        timestamps: option(OPT_TIMESTAMPS),
        sack: option(OPT_SACK),
        ecn: option(OPT_ECN),
        ecn_seen: option(OPT_ECN_SEEN),
        fast_open: option(OPT_SYN_DATA),
        snd_wscale: nibble(true),
        rcv_wscale: nibble(false),
        delivery_rate_app_limited: u8_at(7).map(|b| u64::from(b & app_limited_bit != 0)),
        rto: u32_at(8),
        ato: u32_at(12),
        snd_mss: u32_at(16),
        rcv_mss: u32_at(20),
        unacked: u32_at(24),
        sacked: u32_at(28),
        lost: u32_at(32),
        retrans: u32_at(36),
        fackets: u32_at(40),
        last_data_sent: u32_at(44),
        last_data_recv: u32_at(52),
        last_ack_recv: u32_at(56),
        pmtu: u32_at(60),
        rcv_ssthresh: u32_at(64),
        rtt: u32_at(68),
        rttvar: u32_at(72),
        snd_ssthresh: u32_at(76).filter(|&s| s < INFINITE_SSTHRESH),
        snd_cwnd: u32_at(80),
        advmss: u32_at(84),
        reordering: u32_at(88),
        rcv_rtt: u32_at(92),
        rcv_space: u32_at(96),
        total_retrans: u32_at(100),
        pacing_rate: u64_at(104).filter(|&r| r != u64::MAX),
        max_pacing_rate: u64_at(112).filter(|&r| r != u64::MAX),
        bytes_acked: u64_at(120),
        bytes_received: u64_at(128),
        segs_out: u32_at(136),
        segs_in: u32_at(140),
        notsent_bytes: u32_at(144),
        min_rtt: u32_at(148).filter(|&r| r != 0 && r != u64::from(u32::MAX)),
        data_segs_in: u32_at(152),
        data_segs_out: u32_at(156),
        delivery_rate: u64_at(160),
        busy_time: u64_at(168),
        rwnd_limited: u64_at(176),
        sndbuf_limited: u64_at(184),
        delivered: u32_at(192),
        delivered_ce: u32_at(196),
        bytes_sent: u64_at(200),
        bytes_retrans: u64_at(208),
        dsack_dups: u32_at(216),
        reord_seen: u32_at(220),
        rcv_ooopack: u32_at(224),
        snd_wnd: u32_at(228),
        rcv_wnd: u32_at(232),
        rehash: u32_at(236),
        total_rto: u16_at(240),
        total_rto_recoveries: u16_at(242),
        total_rto_time: u32_at(244),
    }
}

const OPT_TIMESTAMPS: u64 = 1;
const OPT_SACK: u64 = 2;
const OPT_WSCALE: u64 = 4;
const OPT_ECN: u64 = 8;
const OPT_ECN_SEEN: u64 = 16;
const OPT_SYN_DATA: u64 = 32;

/// `TCP_INFINITE_SSTHRESH`.
const INFINITE_SSTHRESH: u64 = 0x7fff_ffff;

#[cfg(test)]
mod tests {
    use super::*;

    /// Declares the fields of `struct tcp_info` that are not bit fields, and writes each at the offset that
    /// the compiler assigns.
    macro_rules! uapi {
        ($($(#[$doc:meta])* $name:ident: $number:ty),+ $(,)?) => {
            /// `struct tcp_info` of `include/uapi/linux/tcp.h` (Linux 6.18) without its prefix `tcpi_`.
            #[repr(C)]
            struct Uapi { $($(#[$doc])* $name: $number),+ }

            impl Uapi {
                /// The bytes of a struct in which every byte of the n-th field is n, and the fields by name.
                /// A read at another offset or of another width gives another value.
                fn filled() -> (Vec<u8>, Vec<(&'static str, u64)>) {
                    let mut bytes = vec![0; size_of::<Self>()];
                    let mut fields = Vec::new();
                    $(
                        let value = <$number>::from_ne_bytes([fields.len() as u8 + 1; size_of::<$number>()]);
                        let at = std::mem::offset_of!(Self, $name);
                        bytes[at..at + size_of::<$number>()].copy_from_slice(&value.to_ne_bytes());
                        fields.push((stringify!($name), u64::from(value)));
                    )+
                    (bytes, fields)
                }
            }
        };
    }

    uapi! {
        state: u8, ca_state: u8, retransmits: u8, probes: u8, backoff: u8, options: u8,
        /// `snd_wscale : 4, rcv_wscale : 4`.
        wscales: u8,
        /// `delivery_rate_app_limited : 1, fastopen_client_fail : 2`.
        flags: u8,
        rto: u32, ato: u32, snd_mss: u32, rcv_mss: u32,
        unacked: u32, sacked: u32, lost: u32, retrans: u32, fackets: u32,
        last_data_sent: u32, last_ack_sent: u32, last_data_recv: u32, last_ack_recv: u32,
        pmtu: u32, rcv_ssthresh: u32, rtt: u32, rttvar: u32, snd_ssthresh: u32, snd_cwnd: u32, advmss: u32,
        reordering: u32, rcv_rtt: u32, rcv_space: u32, total_retrans: u32,
        pacing_rate: u64, max_pacing_rate: u64, bytes_acked: u64, bytes_received: u64, segs_out: u32, segs_in: u32,
        notsent_bytes: u32, min_rtt: u32, data_segs_in: u32, data_segs_out: u32, delivery_rate: u64,
        busy_time: u64, rwnd_limited: u64, sndbuf_limited: u64, delivered: u32, delivered_ce: u32,
        bytes_sent: u64, bytes_retrans: u64, dsack_dups: u32, reord_seen: u32, rcv_ooopack: u32,
        snd_wnd: u32, rcv_wnd: u32, rehash: u32, total_rto: u16, total_rto_recoveries: u16, total_rto_time: u32,
    }

    /// Fields that share a byte. `each_bit_has_its_name` tests them.
    const BITS: [&str; 8] =
        ["timestamps", "sack", "ecn", "ecn_seen", "fast_open", "snd_wscale", "rcv_wscale", "delivery_rate_app_limited"];

    #[test]
    fn each_field_is_read_from_where_the_kernel_writes_it() {
        let (bytes, written) = Uapi::filled();
        let value_of = |name: &str| written.iter().find(|field| field.0 == name).map(|field| field.1);
        let fields = decode(&bytes).fields().filter(|(name, _)| !BITS.contains(name)).collect::<Vec<_>>();
        assert_eq!(
            fields.len(),
            written.len() - 5,
            "all but `state`, `options`, two bytes of bits and `last_ack_sent`"
        );
        for (name, value) in fields {
            assert!(value.is_some(), "{name} is not decoded");
            assert_eq!(value, value_of(name), "{name}");
        }
    }

    /// The bits of `tcpi_options` (`TCPI_OPT_*`), and the bit fields in the two bytes after it.
    #[test]
    fn each_bit_has_its_name() {
        let info_of = |at: usize, byte: u8| {
            let mut bytes = [0; 8];
            bytes[at] = byte;
            decode(&bytes)
        };
        let is_set = |info: TcpInfo| {
            let set = info.known().filter(|(name, value)| BITS.contains(name) && *value > 0);
            set.map(|(name, _)| name).collect::<Vec<_>>()
        };
        let bits = [(1, "timestamps"), (2, "sack"), (8, "ecn"), (16, "ecn_seen"), (32, "fast_open")];
        for (bit, name) in bits {
            assert_eq!(is_set(info_of(std::mem::offset_of!(Uapi, options), bit)), [name]);
        }
        let first_bit = if cfg!(target_endian = "little") { 1 } else { 0x80 };
        assert_eq!(is_set(info_of(std::mem::offset_of!(Uapi, flags), first_bit)), ["delivery_rate_app_limited"]);
        assert!(is_set(info_of(std::mem::offset_of!(Uapi, flags), !first_bit)).is_empty(), "`fastopen_client_fail`");
    }

    #[test]
    fn fields_by_offset() {
        let mut bytes = vec![0_u8; 280];
        bytes[5] = 0b0000_0111;
        bytes[6] = if cfg!(target_endian = "little") { 0xa7 } else { 0x7a };
        bytes[68..72].copy_from_slice(&20_100_u32.to_ne_bytes());
        bytes[76..80].copy_from_slice(&0x7fff_ffff_u32.to_ne_bytes());
        bytes[104..112].copy_from_slice(&u64::MAX.to_ne_bytes());
        bytes[228..232].copy_from_slice(&65_536_u32.to_ne_bytes());
        let info = decode(&bytes);
        assert_eq!((info.timestamps, info.sack, info.ecn), (Some(1), Some(1), Some(0)));
        assert_eq!((info.snd_wscale, info.rcv_wscale), (Some(7), Some(10)));
        assert_eq!((info.rtt, info.snd_wnd), (Some(20_100), Some(65_536)));
        assert_eq!((info.snd_ssthresh, info.pacing_rate), (None, None), "infinite");
    }

    #[test]
    fn without_window_scaling_there_is_no_shift() {
        assert_eq!(decode(&[0, 0, 0, 0, 0, 3, 0xff]).snd_wscale, None);
    }

    /// Sizes of the struct: 104 bytes in Linux 2.6.32, 120 in 3.10, 160 in 4.9, 232 in 5.4.
    #[test]
    fn old_kernels_give_less() {
        let bytes = [0_u8; 280];
        let info = decode(&bytes[..104]);
        assert_eq!((info.total_retrans, info.bytes_acked, info.snd_wnd), (Some(0), None, None));
        assert_eq!(decode(&bytes[..160]).delivery_rate, None);
        assert_eq!(decode(&bytes[..232]).snd_wnd, Some(0));
        assert_eq!(decode(&[]), TcpInfo::default());
    }
}
