//! The lines to change, as they stand in the languages and servers that people run.

use tcpwhy_model::{Fix, FixPlace};

/// Delete the call that fixes the send buffer, so that the kernel grows it.
pub(crate) fn remove_so_sndbuf() -> Fix {
    Fix {
        id: "remove-so-sndbuf",
        place: FixPlace::SendingApplication,
        lines: vec![
            "socket.setSendBufferSize(…);                      // Java: delete".into(),
            "channel.setOption(StandardSocketOptions.SO_SNDBUF, …);  // Java NIO, Netty ChannelOption.SO_SNDBUF: delete".into(),
            "conn.SetWriteBuffer(…)                            // Go: delete".into(),
            "sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, …)  # Python: delete".into(),
            "setsockopt(fd, SOL_SOCKET, SO_SNDBUF, …);         /* C: delete */".into(),
            "listen 443 ssl;                                   # nginx: without sndbuf=".into(),
            "socket.send.buffer.bytes=-1                       # Kafka broker; producer and consumer: send.buffer.bytes=-1".into(),
        ],
    }
}

/// Ask for a send buffer that covers `bytes` in flight; Linux doubles the value itself.
pub(crate) fn raise_so_sndbuf(bytes: u64) -> Fix {
    Fix {
        id: "raise-so-sndbuf",
        place: FixPlace::SendingApplication,
        lines: vec![
            format!(
                "setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){{{bytes}}}, sizeof(int));  /* at least, if it must be set */"
            ),
            format!("sysctl -w net.core.wmem_max={bytes}  # caps SO_SNDBUF; not autotuning"),
        ],
    }
}

/// Let send autotuning reach `bytes`.
pub(crate) fn raise_tcp_wmem(bytes: u64) -> Fix {
    Fix {
        id: "raise-tcp-wmem",
        place: FixPlace::SendingHost,
        lines: vec![format!("sysctl -w net.ipv4.tcp_wmem='4096 16384 {bytes}'")],
    }
}
