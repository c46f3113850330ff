//! Socket buffers and windows.
//!
//! What Linux makes of these settings: `SO_SNDBUF` and `SO_RCVBUF` are capped by `wmem_max` and `rmem_max`, doubled, and turn
//! autotuning off for the socket (`sock_setsockopt`); autotuning is capped by the third values of `tcp_wmem` and `tcp_rmem`
//! and by nothing else (`tcp_sndbuf_expand`, `tcp_rcvbuf_grow`): `rmem_max` and `wmem_max` do not matter to it.

use tcpwhy_model::{Fix, FixPlace};

use super::{fix, round_size};

/// Delete the call that fixes the send buffer, so that the kernel grows it.
pub fn remove_so_sndbuf() -> Fix {
    fix(
        "remove-so-sndbuf",
        FixPlace::SendingApplication,
        &[
            "socket.setSendBufferSize(…);                              // Java: delete",
            "channel.setOption(StandardSocketOptions.SO_SNDBUF, …);    // Java NIO: delete",
            "bootstrap.childOption(ChannelOption.SO_SNDBUF, …);        // Netty: delete",
            "conn.SetWriteBuffer(…)                                    // Go: delete",
            "sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, …)   # Python: delete",
            "setsockopt(fd, SOL_SOCKET, SO_SNDBUF, …);                 /* C: delete */",
            "listen 443 ssl;                                           # nginx: without sndbuf=",
            "socket.send.buffer.bytes=-1                               # Kafka broker (default: 102400)",
            "send.buffer.bytes=-1                                      # Kafka producer and consumer (default: 131072)",
            "jdbc:mysql://…?tcpSndBuf=0                                # MySQL Connector/J (the server sets none)",
        ],
    )
}

/// Ask for a send buffer that covers `bytes` in flight; Linux doubles the value itself.
pub fn raise_so_sndbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix {
        id: "raise-so-sndbuf",
        place: FixPlace::SendingApplication,
        lines: vec![
            format!("setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){{{bytes}}}, sizeof(int));  /* C: at least */").into(),
            format!("socket.setSendBufferSize({bytes});  // Java").into(),
            format!("conn.SetWriteBuffer({bytes})  // Go").into(),
            format!("sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {bytes})  # Python").into(),
            format!("listen 443 ssl sndbuf={bytes};  # nginx").into(),
            format!("socket.send.buffer.bytes={bytes}  # Kafka broker; send.buffer.bytes for its clients").into(),
            format!("sysctl -w net.core.wmem_max={bytes}  # caps SO_SNDBUF only, not autotuning").into(),
        ],
    }
}

/// Let send autotuning reach `bytes`.
pub fn raise_tcp_wmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix {
        id: "raise-tcp-wmem",
        place: FixPlace::SendingHost,
        lines: vec![format!(
            "sysctl -w net.ipv4.tcp_wmem='4096 16384 {bytes}'  # the third value; net.core.wmem_max does not matter here"
        ).into()],
    }
}

/// Delete the call that fixes the receive buffer.
pub fn remove_so_rcvbuf() -> Fix {
    fix(
        "remove-so-rcvbuf",
        FixPlace::ReceivingApplication,
        &[
            "socket.setReceiveBufferSize(…);                           // Java, also on ServerSocket: delete",
            "channel.setOption(StandardSocketOptions.SO_RCVBUF, …);    // Java NIO: delete",
            "bootstrap.childOption(ChannelOption.SO_RCVBUF, …);        // Netty: delete",
            "conn.SetReadBuffer(…)                                     // Go: delete",
            "sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, …)   # Python: delete",
            "setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                 /* C: delete */",
            "listen 443 ssl;                                           # nginx: without rcvbuf=",
            "socket.receive.buffer.bytes=-1                            # Kafka broker (default: 102400)",
            "replica.socket.receive.buffer.bytes=-1                    # Kafka replicas (default: 65536)",
            "receive.buffer.bytes=-1                                   # Kafka consumer (default: 65536), producer (32768)",
            "jdbc:mysql://…?tcpRcvBuf=0                                # MySQL Connector/J (the server sets none)",
        ],
    )
}

/// Ask for a receive buffer that offers a window of `bytes`, before the handshake.
pub fn raise_so_rcvbuf(bytes: u64) -> Fix {
    let bytes = round_size(bytes);
    Fix {
        id: "raise-so-rcvbuf",
        place: FixPlace::ReceivingApplication,
        lines: vec![
            format!(
                "setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){{{bytes}}}, sizeof(int));  /* C: before connect or listen */"
            ).into(),
            format!("serverSocket.setReceiveBufferSize({bytes});  // Java: before bind; a client: before connect").into(),
            format!(
                "sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {bytes})  # Python: before connect or listen"
            ).into(),
            format!("net.ListenConfig{{Control: …}}  // Go: set SO_RCVBUF={bytes} there; SetReadBuffer comes too late").into(),
            format!("listen 443 ssl rcvbuf={bytes};  # nginx").into(),
            format!("receive.buffer.bytes={bytes}  # Kafka clients; socket.receive.buffer.bytes on the broker").into(),
            format!("sysctl -w net.core.rmem_max={bytes}  # caps SO_RCVBUF only, not autotuning").into(),
        ],
    }
}

/// Let receive autotuning open a window of `bytes`; between half and nine tenths of the buffer become window.
pub fn raise_tcp_rmem(bytes: u64) -> Fix {
    let bytes = round_size(bytes.saturating_mul(2));
    Fix {
        id: "raise-tcp-rmem",
        place: FixPlace::ReceivingHost,
        lines: vec![
            format!(
                "sysctl -w net.ipv4.tcp_rmem='4096 131072 {bytes}'  # the third value; net.core.rmem_max does not matter here"
            ).into(),
            "sysctl -w net.ipv4.tcp_moderate_rcvbuf=1  # autotuning itself (the default)".into(),
        ],
    }
}

/// Let both ends agree on window scaling.
pub fn enable_window_scaling() -> Fix {
    fix(
        "enable-window-scaling",
        FixPlace::ReceivingHost,
        &[
            "sysctl -w net.ipv4.tcp_window_scaling=1                   # Linux, both hosts (the default)",
            "netsh interface tcp set global autotuninglevel=normal     # Windows",
        ],
    )
}

/// Offer more from the start.
pub fn raise_initrwnd() -> Fix {
    fix(
        "raise-initrwnd",
        FixPlace::ReceivingHost,
        &["ip route change default via … dev … initrwnd 64            # receiving host, in segments"],
    )
}
