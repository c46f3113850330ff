//! Socket buffers and windows.
//!
//! What Linux makes of these settings: `SO_SNDBUF` and `SO_RCVBUF` are capped by `wmem_max` and `rmem_max`, doubled, and turn
//! autotuning off for the socket (`sock_setsockopt`); autotuning is capped by the third values of `tcp_wmem` and `tcp_rmem`
//! and by nothing else (`tcp_sndbuf_expand`, `tcp_rcvbuf_grow`): `rmem_max` and `wmem_max` do not matter to it.

use tcpwhy_model::{Fix, FixLine, FixPlace, Remark};

use super::{fix, line, round_size};

/// Linux's numbers of the options, which Envoy needs (`include/uapi/asm-generic/socket.h`). MIPS, SPARC and
/// PA-RISC have others.
const SOL_SOCKET: u32 = 1;
const SO_SNDBUF: u32 = 7;
const SO_RCVBUF: u32 = 8;

/// Envoy's `config.core.v3.SocketOption`, set before bind: connections inherit it from their listener.
fn envoy_option(name: u32, bytes: u64) -> String {
    format!("[{{ level: {SOL_SOCKET}, name: {name}, int_value: {bytes}, state: STATE_PREBIND }}]")
}

/// Delete the call that fixes the send buffer, so that the kernel grows it.
pub fn remove_so_sndbuf() -> Fix {
    fix(
        "remove-so-sndbuf",
        FixPlace::SendingApplication,
        vec![
            line("socket.setSendBufferSize(…); setOption(SO_SNDBUF, …);     // ", "java-nio-delete"),
            line("bootstrap.childOption(ChannelOption.SO_SNDBUF, …);        // ", "netty-delete"),
            line("conn.SetWriteBuffer(…)                                    // ", "go-delete"),
            line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, …)   # ", "python-delete"),
            line("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, …);                 /* ", "c-delete"),
            line("listen 443 ssl;                                           # ", "nginx-without-sndbuf"),
            line("socket.send.buffer.bytes=-1                               # ", "kafka-broker-sndbuf-defaults"),
            line("tune.sndbuf.client …; tune.sndbuf.server …                # ", "haproxy-delete"),
            line("SendBufferSize 0                                          # ", "apache-httpd-its-default"),
            line("socket options = TCP_NODELAY                              # ", "samba-without-so-sndbuf"),
            line("socket_options: [{ level: 1, name: 7, … }]                # ", "envoy-delete"),
            line("sndbuf 0                                                  # ", "openvpn-its-default-since-2-4"),
            line("SocketOptions sndbuf …                                    # ", "proftpd-delete"),
            line("iperf3 -c HOST                                            # ", "iperf3-without-w-sndbuf"),
        ],
    )
}

/// Ask for a send buffer that covers `bytes` in flight; Linux doubles the value itself.
pub fn raise_so_sndbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-so-sndbuf",
        FixPlace::SendingApplication,
        vec![
            line(format!("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){{{bytes}}}, sizeof(int));  /* "), "c-at-least"),
            line(format!("socket.setSendBufferSize({bytes});  // "), "java"),
            line(format!("conn.SetWriteBuffer({bytes})  // "), "go"),
            line(format!("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {bytes})  # "), "python"),
            line(format!("listen 443 ssl sndbuf={bytes};  # "), "nginx"),
            line(format!("socket.send.buffer.bytes={bytes}  # "), "kafka-broker-send-buffer-bytes-for"),
            line(format!("tune.sndbuf.client {bytes}  # "), "haproxy-global-tune-sndbuf-server"),
            line(format!("SendBufferSize {bytes}  # "), "apache-httpd"),
            line(format!("socket options = TCP_NODELAY SO_SNDBUF={bytes}  # "), "samba-rsyncd"),
            line(format!("socket_options: {}  # ", envoy_option(SO_SNDBUF, bytes)), "envoy-listener-or-upstream"),
            line(format!("sndbuf {bytes}  # "), "openvpn"),
            line(format!("SocketOptions sndbuf {bytes}  # "), "proftpd"),
            line(format!("iperf3 -c HOST -w {bytes}  # "), "iperf3-socat-sndbuf"),
            line(format!("sysctl -w net.core.wmem_max={bytes}  # "), "caps-so-sndbuf-not-autotuning"),
        ],
    )
}

/// Let send autotuning reach `bytes`.
pub fn raise_tcp_wmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-tcp-wmem",
        FixPlace::SendingHost,
        vec![line(format!("sysctl -w net.ipv4.tcp_wmem='4096 16384 {bytes}'  # "), "third-value-not-wmem-max")],
    )
}

/// Delete the call that fixes the receive buffer.
pub fn remove_so_rcvbuf() -> Fix {
    fix(
        "remove-so-rcvbuf",
        FixPlace::ReceivingApplication,
        vec![
            line("socket.setReceiveBufferSize(…); setOption(SO_RCVBUF, …);  // ", "java-also-on-serversocket-delete"),
            line("bootstrap.childOption(ChannelOption.SO_RCVBUF, …);        // ", "netty-delete"),
            line("conn.SetReadBuffer(…)                                     // ", "go-delete"),
            line("sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, …)   # ", "python-delete"),
            line("setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                 /* ", "c-delete"),
            line("listen 443 ssl;                                           # ", "nginx-without-rcvbuf"),
            line(
                "receive.buffer.bytes=-1                                   # ",
                "kafka-consumer-default-65536-producer-32768",
            ),
            line("socket.receive.buffer.bytes=-1                            # ", "kafka-broker-rcvbuf-defaults"),
            line("jdbc:mysql://…?tcpRcvBuf=0                                # ", "jdbc-mysql-server-sets-none"),
            line("tune.rcvbuf.client …; tune.rcvbuf.server …                # ", "haproxy-delete"),
            line("ReceiveBufferSize 0                                       # ", "apache-httpd-its-default"),
            line("socket options = TCP_NODELAY                              # ", "samba-without-so-rcvbuf"),
            line("socket_options: [{ level: 1, name: 8, … }]                # ", "envoy-delete"),
            line("rcvbuf 0                                                  # ", "openvpn-its-default-since-2-4"),
        ],
    )
}

/// Ask for a receive buffer that offers a window of `bytes`, before the handshake.
pub fn raise_so_rcvbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix::new(
        "raise-so-rcvbuf",
        FixPlace::ReceivingApplication,
        vec![
            line(
                format!("setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){{{bytes}}}, sizeof(int));  /* "),
                "c-before-connect-or-listen",
            ),
            line(format!("serverSocket.setReceiveBufferSize({bytes});  // "), "java-before-bind-client-before-connect"),
            line(
                format!("sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {bytes})  # "),
                "python-before-connect-or-listen",
            ),
            FixLine::remarked(
                "net.ListenConfig{Control: …}  // ",
                Remark::new("go-set-so-rcvbuf-there").with("bytes", &bytes),
            ),
            line(format!("listen 443 ssl rcvbuf={bytes};  # "), "nginx"),
            line(format!("receive.buffer.bytes={bytes}  # "), "kafka-clients-socket-receive-buffer-bytes"),
            line(format!("tune.rcvbuf.client {bytes}  # "), "haproxy-global-tune-rcvbuf-server"),
            line(format!("ReceiveBufferSize {bytes}  # "), "apache-httpd"),
            line(format!("socket options = TCP_NODELAY SO_RCVBUF={bytes}  # "), "samba-rsyncd"),
            line(format!("socket_options: {}  # ", envoy_option(SO_RCVBUF, bytes)), "envoy-listener-or-upstream"),
            line(format!("rcvbuf {bytes}  # "), "openvpn"),
            line(format!("SocketOptions rcvbuf {bytes}  # "), "proftpd"),
            line(format!("iperf3 -c HOST -w {bytes}  # "), "iperf3-socat-rcvbuf"),
            line(format!("sysctl -w net.core.rmem_max={bytes}  # "), "caps-so-rcvbuf-not-autotuning"),
        ],
    )
}

/// Let receive autotuning open a window of `bytes`; between half and nine tenths of the buffer become window.
pub fn raise_tcp_rmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes.saturating_mul(2));
    Fix::new(
        "raise-tcp-rmem",
        FixPlace::ReceivingHost,
        vec![
            line(format!("sysctl -w net.ipv4.tcp_rmem='4096 131072 {bytes}'  # "), "third-value-not-rmem-max"),
            line("sysctl -w net.ipv4.tcp_moderate_rcvbuf=1  # ", "autotuning-itself-the-default"),
        ],
    )
}

/// Let a Windows receiver grow its window.
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

/// See whether a program or `tcp_rmem` limits the receive buffer.
pub fn check_receive_buffer() -> Fix {
    fix(
        "check-receive-buffer",
        FixPlace::ReceivingHost,
        vec![
            line("ss -tm                                        # ", "ss-rb-against-tcp-rmem"),
            line("sysctl net.ipv4.tcp_rmem                      # ", "sysctl-third-value"),
            line("tcpwhy audit                                  # ", "audit-names-programs"),
            line("strace -f -e trace=setsockopt -p PID          # ", "strace-setsockopt-as-called"),
        ],
    )
}

/// See whether a program or `tcp_wmem` limits the send buffer.
pub fn check_send_buffer() -> Fix {
    fix(
        "check-send-buffer",
        FixPlace::SendingHost,
        vec![
            line("ss -tm                                        # ", "ss-tb-against-tcp-wmem"),
            line("sysctl net.ipv4.tcp_wmem                      # ", "sysctl-third-value"),
            line("tcpwhy audit                                  # ", "audit-names-programs"),
            line("strace -f -e trace=setsockopt -p PID          # ", "strace-setsockopt-as-called"),
        ],
    )
}

/// Another kernel at the receiver, where its window may be one that never grows with jumbo frames (Linux
/// commits a337531b942b and 72d05c00d7ec).
pub fn update_receiver_kernel() -> Fix {
    fix(
        "update-receiver-kernel",
        FixPlace::ReceivingHost,
        vec![
            line(
                "uname -r                                                  # ",
                "linux-4-19-86-to-5-9-15-jumbo-frames",
            ),
            line("sysctl -w net.ipv4.tcp_rmem='4096 196608 6291456'         # ", "until-kernel-is-updated"),
        ],
    )
}

/// Let both ends agree on window scaling.
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

/// Offer more from the start.
pub fn raise_initrwnd() -> Fix {
    fix(
        "raise-initrwnd",
        FixPlace::ReceivingHost,
        vec![line("ip route change default via … dev … initrwnd 64            # ", "receiving-host-in-segments")],
    )
}
