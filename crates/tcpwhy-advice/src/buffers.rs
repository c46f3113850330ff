//! Fixes of socket buffers and windows.
//!
//! Linux treats these settings as follows:
//! - `SO_SNDBUF` and `SO_RCVBUF` are capped by `wmem_max` and `rmem_max`, doubled, and turn autotuning off
//!   for the socket (`sock_setsockopt`).
//! - Autotuning is capped only by the third values of `tcp_wmem` and `tcp_rmem` (`tcp_sndbuf_expand`,
//!   `tcp_rcvbuf_grow`). `rmem_max` and `wmem_max` do not affect it.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::CodePart::{Number, Text, Value};
use tcpwhy_model::Hole::{Peer, SocketsHere};
use tcpwhy_model::Program::{
    Apache, C, Envoy, Go, Haproxy, Iperf3, Java, Kafka, MySql, Nginx, OpenVpn, ProFtpd, Python, Samba,
};
use tcpwhy_model::{Fix, FixLine, FixPlace, Remark};

use super::{fix, line, process_here, round_size, route_towards_peer, setting};

/// Linux's numbers of the options, which Envoy needs (`include/uapi/asm-generic/socket.h`). They differ on
/// MIPS, SPARC and PA-RISC.
const SOL_SOCKET: u32 = 1;
const SO_SNDBUF: u32 = 7;
const SO_RCVBUF: u32 = 8;

/// Envoy's `config.core.v3.SocketOption`, set before bind: connections inherit it from their listener.
fn envoy_option(name: u32, bytes: u64) -> String {
    format!("[{{ level: {SOL_SOCKET}, name: {name}, int_value: {bytes}, state: STATE_PREBIND }}]")
}

/// Proposes to delete the call that fixes the send buffer, so that the kernel grows it.
pub fn remove_so_sndbuf() -> Fix {
    fix(
        "remove-so-sndbuf",
        FixPlace::SendingApplication,
        vec![
            Java.line("socket.setSendBufferSize(…); setOption(SO_SNDBUF, …);     // ", "java-nio-delete"),
            Java.line("bootstrap.childOption(ChannelOption.SO_SNDBUF, …);        // ", "netty-delete"),
            Go.line("conn.SetWriteBuffer(…)                                    // ", "go-delete"),
            Python.line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, …)   # ", "python-delete"),
            C.line("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, …);                 /* ", "c-delete"),
            Nginx.line("listen 443 ssl;                                           # ", "nginx-without-sndbuf"),
            Kafka.line("socket.send.buffer.bytes=-1                               # ", "kafka-broker-sndbuf-defaults"),
            Haproxy.line("tune.sndbuf.client …; tune.sndbuf.server …                # ", "haproxy-delete"),
            Apache.line("SendBufferSize 0                                          # ", "apache-httpd-its-default"),
            Samba.line("socket options = TCP_NODELAY                              # ", "samba-without-so-sndbuf"),
            Envoy.line("socket_options: [{ level: 1, name: 7, … }]                # ", "envoy-delete"),
            OpenVpn
                .line("sndbuf 0                                                  # ", "openvpn-its-default-since-2-4"),
            ProFtpd.line("SocketOptions sndbuf …                                    # ", "proftpd-delete"),
            Iperf3.line(&[Text("iperf3 -c "), Value(Peer), Text("  # ")], "iperf3-without-w-sndbuf"),
        ],
    )
}

/// Proposes a send buffer that covers `bytes` in flight; Linux doubles the value itself.
pub fn raise_so_sndbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-so-sndbuf",
        FixPlace::SendingApplication,
        vec![
            C.line(
                format!("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){{{bytes}}}, sizeof(int));  /* "),
                "c-at-least",
            ),
            Java.line(format!("socket.setSendBufferSize({bytes});  // "), "java"),
            Go.line(format!("conn.SetWriteBuffer({bytes})  // "), "go"),
            Python.line(format!("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {bytes})  # "), "python"),
            Nginx.line(format!("listen 443 ssl sndbuf={bytes};  # "), "nginx"),
            Kafka.line(format!("socket.send.buffer.bytes={bytes}  # "), "kafka-broker-send-buffer-bytes-for"),
            Haproxy.line(format!("tune.sndbuf.client {bytes}  # "), "haproxy-global-tune-sndbuf-server"),
            Apache.line(format!("SendBufferSize {bytes}  # "), "apache-httpd"),
            Samba.line(format!("socket options = TCP_NODELAY SO_SNDBUF={bytes}  # "), "samba-rsyncd"),
            Envoy.line(format!("socket_options: {}  # ", envoy_option(SO_SNDBUF, bytes)), "envoy-listener-or-upstream"),
            OpenVpn.line(format!("sndbuf {bytes}  # "), "openvpn"),
            ProFtpd.line(format!("SocketOptions sndbuf {bytes}  # "), "proftpd"),
            Iperf3.line(
                vec![Text("iperf3 -c "), Value(Peer), Text(" -w "), Number(bytes), Text("  # ")],
                "iperf3-socat-sndbuf",
            ),
            setting::raise(Sysctl::WmemMax, bytes, "caps-so-sndbuf-not-autotuning"),
        ],
    )
    .conditional()
}

/// Proposes to let send autotuning reach `bytes`, if its limit was lowered or the default is less.
pub fn raise_tcp_wmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-tcp-wmem",
        FixPlace::SendingHost,
        vec![setting::raise(Sysctl::TcpWmem, bytes, "third-value-not-wmem-max")],
    )
}

/// Proposes to delete the call that fixes the receive buffer.
pub fn remove_so_rcvbuf() -> Fix {
    fix("remove-so-rcvbuf", FixPlace::ReceivingApplication, rcvbuf_lines())
}

/// Proposes the same at both ends, each of which receives much data: one alone leaves the other direction
/// slow.
pub fn remove_receive_buffers() -> Fix {
    fix("remove-receive-buffers", FixPlace::ReceivingApplication, rcvbuf_lines())
}

/// The calls and settings that fix a receive buffer.
fn rcvbuf_lines() -> Vec<FixLine> {
    vec![
        Java.line("socket.setReceiveBufferSize(…); setOption(SO_RCVBUF, …);  // ", "java-also-on-serversocket-delete"),
        Java.line("bootstrap.childOption(ChannelOption.SO_RCVBUF, …);        // ", "netty-delete"),
        Go.line("conn.SetReadBuffer(…)                                     // ", "go-delete"),
        Python.line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, …)   # ", "python-delete"),
        C.line("setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                 /* ", "c-delete"),
        Nginx.line("listen 443 ssl;                                           # ", "nginx-without-rcvbuf"),
        Kafka.client_line(
            Java,
            "receive.buffer.bytes=-1                                   # ",
            "kafka-consumer-default-65536-producer-32768",
        ),
        Kafka.line("socket.receive.buffer.bytes=-1                            # ", "kafka-broker-rcvbuf-defaults"),
        MySql.client_line(
            Java,
            "jdbc:mysql://…?tcpRcvBuf=0                                # ",
            "jdbc-mysql-server-sets-none",
        ),
        Haproxy.line("tune.rcvbuf.client …; tune.rcvbuf.server …                # ", "haproxy-delete"),
        Apache.line("ReceiveBufferSize 0                                       # ", "apache-httpd-its-default"),
        Samba.line("socket options = TCP_NODELAY                              # ", "samba-without-so-rcvbuf"),
        Envoy.line("socket_options: [{ level: 1, name: 8, … }]                # ", "envoy-delete"),
        OpenVpn.line("rcvbuf 0                                                  # ", "openvpn-its-default-since-2-4"),
    ]
}

/// Proposes to delete the calls that fix the send buffer at one end and the receive buffer at the other. Both
/// have the same size, so each alone would still be the limit.
pub fn remove_both_buffers() -> Fix {
    fix(
        "remove-both-buffers",
        FixPlace::SendingApplication,
        vec![
            Java.line(
                "setOption(SO_SNDBUF, …); setOption(SO_RCVBUF, …);         // ",
                "java-also-on-serversocket-delete",
            ),
            Go.line("conn.SetWriteBuffer(…); conn.SetReadBuffer(…)             // ", "go-delete"),
            Python.line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, …)   # ", "python-delete"),
            Python.line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, …)   # ", "python-delete"),
            C.line("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, …);                 /* ", "c-delete"),
            C.line("setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                 /* ", "c-delete"),
        ],
    )
}

/// Proposes a receive buffer that allows a window of `bytes`, set before the handshake.
pub fn raise_so_rcvbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-so-rcvbuf",
        FixPlace::ReceivingApplication,
        vec![
            C.line(
                format!("setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){{{bytes}}}, sizeof(int));  /* "),
                "c-before-connect-or-listen",
            ),
            Java.line(
                format!("serverSocket.setReceiveBufferSize({bytes});  // "),
                "java-before-bind-client-before-connect",
            ),
            Python.line(
                format!("sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {bytes})  # "),
                "python-before-connect-or-listen",
            ),
            Go.line("net.ListenConfig{Control: …}  // ", Remark::new("go-set-so-rcvbuf-there").with("bytes", &bytes)),
            Nginx.line(format!("listen 443 ssl rcvbuf={bytes};  # "), "nginx"),
            Kafka.client_line(
                Java,
                format!("receive.buffer.bytes={bytes}  # "),
                "kafka-clients-socket-receive-buffer-bytes",
            ),
            Haproxy.line(format!("tune.rcvbuf.client {bytes}  # "), "haproxy-global-tune-rcvbuf-server"),
            Apache.line(format!("ReceiveBufferSize {bytes}  # "), "apache-httpd"),
            Samba.line(format!("socket options = TCP_NODELAY SO_RCVBUF={bytes}  # "), "samba-rsyncd"),
            Envoy.line(format!("socket_options: {}  # ", envoy_option(SO_RCVBUF, bytes)), "envoy-listener-or-upstream"),
            OpenVpn.line(format!("rcvbuf {bytes}  # "), "openvpn"),
            ProFtpd.line(format!("SocketOptions rcvbuf {bytes}  # "), "proftpd"),
            Iperf3.line(
                vec![Text("iperf3 -c "), Value(Peer), Text(" -w "), Number(bytes), Text("  # ")],
                "iperf3-socat-rcvbuf",
            ),
            setting::raise(Sysctl::RmemMax, bytes, "caps-so-rcvbuf-not-autotuning"),
        ],
    )
    .conditional()
}

/// Proposes to let receive autotuning open a window of `bytes`. Between half and nine tenths of the buffer
/// become window.
pub fn raise_tcp_rmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes.saturating_mul(2));
    Fix::new(
        "raise-tcp-rmem",
        FixPlace::ReceivingHost,
        vec![
            setting::raise(Sysctl::TcpRmem, bytes, "third-value-not-rmem-max"),
            line("sysctl -w net.ipv4.tcp_moderate_rcvbuf=1  # ", "autotuning-itself-the-default"),
        ],
    )
}

/// Proposes to let a Windows receiver grow its window.
pub fn enable_receive_autotuning() -> Fix {
    fix(
        "enable-receive-autotuning",
        FixPlace::ReceivingHost,
        vec![
            line("netsh interface tcp show global                         # ", "windows-receive-level"),
            line("netsh interface tcp set global autotuninglevel=normal   # ", "windows-default-up-to-16-mib"),
        ],
    )
}

/// Proposes to check whether a program or `tcp_rmem` limits the receive buffer.
pub fn check_receive_buffer() -> Fix {
    fix(
        "check-receive-buffer",
        FixPlace::ReceivingHost,
        vec![
            line(&[Text("ss -tmn "), Value(SocketsHere), Text("  # ")], "ss-rb-against-tcp-rmem"),
            line("sysctl net.ipv4.tcp_rmem                      # ", "sysctl-third-value"),
            line("tcpwhy audit  # ", "audit-names-programs"),
            process_here(),
            line("strace -f -e trace=setsockopt -p $PID  # ", "strace-setsockopt-as-called"),
        ],
    )
    .measure()
}

/// Proposes to check whether a program or `tcp_wmem` limits the send buffer.
pub fn check_send_buffer() -> Fix {
    fix(
        "check-send-buffer",
        FixPlace::SendingHost,
        vec![
            line(&[Text("ss -tmn "), Value(SocketsHere), Text("  # ")], "ss-tb-against-tcp-wmem"),
            line("sysctl net.ipv4.tcp_wmem                      # ", "sysctl-third-value"),
            line("tcpwhy audit  # ", "audit-names-programs"),
            process_here(),
            line("strace -f -e trace=setsockopt -p $PID  # ", "strace-setsockopt-as-called"),
        ],
    )
    .measure()
}

/// Second value of `tcp_rmem`, bytes, that makes the first window large enough for jumbo frames
/// (72d05c00d7ec).
const JUMBO_START: u64 = 196_608;

/// Proposes another kernel at the receiver, if its window may be one that never grows with jumbo frames
/// (Linux commits a337531b942b and 72d05c00d7ec).
pub fn update_receiver_kernel() -> Fix {
    fix(
        "update-receiver-kernel",
        FixPlace::ReceivingHost,
        vec![
            line(
                "uname -r                                                  # ",
                "linux-4-19-86-to-5-9-15-jumbo-frames",
            ),
            setting::raise_start(Sysctl::TcpRmem, JUMBO_START, "second-value-until-kernel-is-updated"),
        ],
    )
    .conditional()
}

/// Proposes to enable window scaling at both ends.
pub fn enable_window_scaling() -> Fix {
    fix(
        "enable-window-scaling",
        FixPlace::ReceivingHost,
        vec![
            line("sysctl -w net.ipv4.tcp_window_scaling=1                   # ", "linux-both-hosts-default"),
            line("netsh interface tcp set global autotuninglevel=normal     # ", "windows"),
        ],
    )
}

/// Proposes a larger receive window from the start.
pub fn raise_initrwnd() -> Fix {
    fix(
        "raise-initrwnd",
        FixPlace::ReceivingHost,
        vec![route_towards_peer("initrwnd 64  # ", "receiving-host-in-segments")],
    )
    .conditional()
}
