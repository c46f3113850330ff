//! What applications do with their sockets.

use tcpwhy_model::{Fix, FixPlace};

use super::fix;

/// Read all the time, and do the work elsewhere.
pub fn read_faster() -> Fix {
    fix(
        "read-faster",
        FixPlace::ReceivingApplication,
        &[
            "executor.submit(() -> handle(buffer));        // Java: read in one thread, work in others",
            "ch <- buf                                     // Go: the reading goroutine only hands on",
            "queue.put(sock.recv(1 << 18))                 # Python: the reading thread only hands on",
            "proxy_buffering on;                           # nginx: take answers from the upstream at full speed",
            "proxy_request_buffering on;                   # nginx: take uploads at full speed",
        ],
    )
}

/// Fewer, larger reads.
pub fn enlarge_reads() -> Fix {
    fix(
        "enlarge-reads",
        FixPlace::ReceivingApplication,
        &[
            "new BufferedInputStream(socket.getInputStream(), 1 << 18)  // Java",
            "bufio.NewReaderSize(conn, 1<<18)                           // Go",
            "sock.recv(1 << 18)                                         # Python",
            "recv(fd, buf, 1 << 18, 0);                                 /* C */",
        ],
    )
}

/// Turn Nagle's algorithm off.
pub fn set_tcp_nodelay() -> Fix {
    fix(
        "set-tcp-nodelay",
        FixPlace::SendingApplication,
        &[
            "socket.setTcpNoDelay(true);                                                // Java",
            "bootstrap.childOption(ChannelOption.TCP_NODELAY, true);                    // Netty (its default)",
            "conn.SetNoDelay(true)                                                      // Go (its default)",
            "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)                 # Python",
            "setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));          /* C */",
            "tcp_nodelay on;                                                            # nginx (its default)",
            "jdbc:mysql://…?tcpNoDelay=true                                             # MySQL Connector/J (its default)",
        ],
    )
}

/// One message, one write.
pub fn coalesce_writes() -> Fix {
    fix(
        "coalesce-writes",
        FixPlace::SendingApplication,
        &[
            "out = new BufferedOutputStream(socket.getOutputStream()); …; out.flush();  // Java: one flush a message",
            "w := bufio.NewWriter(conn); …; w.Flush()                                   // Go: one flush a message",
            "sock.sendall(header + body)                                                # Python",
            "writev(fd, iov, 2);                                                        /* C */",
            "send(fd, header, n, MSG_MORE); send(fd, body, m, 0);                       /* C */",
        ],
    )
}

/// Acknowledge at once.
pub fn quickack() -> Fix {
    fix(
        "quickack",
        FixPlace::ReceivingApplication,
        &[
            "setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &(int){1}, sizeof(int));  /* C: again after every read */",
            "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)         # Python: again after every read",
            "ip route change default via … dev … quickack 1                      # Linux: for a whole route",
        ],
    )
}

/// Keep data waiting in the socket.
pub fn write_more_ahead() -> Fix {
    fix(
        "write-more-ahead",
        FixPlace::SendingApplication,
        &[
            "FileChannel.transferTo(0, size, socketChannel);            // Java: files without copying",
            "io.CopyBuffer(conn, src, make([]byte, 1<<20))              // Go: large pieces",
            "sock.sendfile(f)                                           # Python",
            "sendfile(fd, file, &offset, count);                        /* C */",
            "sendfile on; output_buffers 2 1m;                          # nginx",
            "limit_rate 0;                                              # nginx: no rate limit (the default)",
        ],
    )
}

/// Several requests at once.
pub fn pipeline_requests() -> Fix {
    fix(
        "pipeline-requests",
        FixPlace::SendingApplication,
        &[
            "statement.setFetchSize(1000);                              // JDBC: more rows a turn",
            "jdbc:mysql://…?useCursorFetch=true&defaultFetchSize=1000   # MySQL Connector/J: reading with a cursor",
            "jdbc:mysql://…?rewriteBatchedStatements=true               # MySQL Connector/J: writing with addBatch",
            "pipe = redis.pipeline(); …; pipe.execute()                 # Redis, Python",
            "max.in.flight.requests.per.connection=5                    # Kafka producer (its default)",
        ],
    )
}

/// TLS without a full handshake.
pub fn resume_tls_sessions() -> Fix {
    fix(
        "resume-tls-sessions",
        FixPlace::ReceivingApplication,
        &[
            "ssl_session_cache shared:tls:10m; ssl_session_timeout 1h; ssl_protocols TLSv1.2 TLSv1.3;  # nginx",
            "SSLSessionCache shmcb:/run/apache2/tls(1048576)             # Apache httpd",
            "openssl s_client -connect HOST:443 -reconnect               # Reused: the server resumes",
        ],
    )
}

/// Keep connections.
pub fn reuse_connection() -> Fix {
    fix(
        "reuse-connection",
        FixPlace::SendingApplication,
        &[
            "HttpClient client = HttpClient.newHttpClient();            // Java: one for the whole process",
            "var client = &http.Client{}                                // Go: one for the whole process; read bodies to the end",
            "session = requests.Session()                               # Python: one for the whole process",
            "keepalive 32; proxy_http_version 1.1; proxy_set_header Connection \"\";  # nginx: upstream and location",
        ],
    )
}

/// Find out what the application did meanwhile.
pub fn profile_application() -> Fix {
    fix(
        "profile-application",
        FixPlace::SendingApplication,
        &[
            "jcmd PID Thread.print                                      # Java: what every thread waits for",
            "curl localhost:6060/debug/pprof/goroutine?debug=2          # Go, with net/http/pprof",
            "py-spy dump --pid PID                                      # Python",
            "strace -f -T -e trace=network,desc -p PID                  # any process",
            "SET GLOBAL slow_query_log = ON, long_query_time = 0.1;     -- MySQL, MariaDB",
        ],
    )
}

/// Find out why the receiving application stopped reading.
pub fn profile_receiver() -> Fix {
    Fix { id: "profile-receiver", place: FixPlace::ReceivingApplication, ..profile_application() }
}

/// Close what the peer has closed.
pub fn close_connection() -> Fix {
    fix(
        "close-connection",
        FixPlace::SendingApplication,
        &[
            "try (Socket socket = …) { … }                 // Java: closed whatever happens",
            "defer conn.Close()                            // Go; for HTTP: defer response.Body.Close()",
            "with contextlib.closing(sock): …              # Python",
            "if (recv(fd, buf, size, 0) == 0) close(fd);   /* C */",
            "ss -tnp state close-wait                      # which process holds how many",
        ],
    )
}

/// Ask an idle connection every so many seconds, before anybody on the way forgets it.
pub fn keep_alive_every(seconds: i64) -> Fix {
    let seconds = seconds.max(1);
    Fix {
        id: "keep-alive-every",
        place: FixPlace::SendingApplication,
        lines: vec![
            format!("setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &(int){{{seconds}}}, sizeof(int));  /* C: with SO_KEEPALIVE */").into(),
            format!("net.Dialer{{KeepAliveConfig: net.KeepAliveConfig{{Enable: true, Idle: {seconds} * time.Second}}}}  // Go").into(),
            format!("sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, {seconds})  # Python: with SO_KEEPALIVE").into(),
            format!("socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, {seconds})  // Java 11: with SO_KEEPALIVE").into(),
            format!("sysctl -w net.ipv4.tcp_keepalive_time={seconds}  # Linux: all sockets with SO_KEEPALIVE").into(),
            format!("ServerAliveInterval {seconds}  # ssh_config").into(),
        ],
    }
}

/// Close what has rested in a pool for so many seconds.
pub fn retire_idle_connections(seconds: i64) -> Fix {
    let seconds = seconds.max(1);
    Fix {
        id: "retire-idle-connections",
        place: FixPlace::SendingApplication,
        lines: vec![
            format!("http.Transport{{IdleConnTimeout: {seconds} * time.Second}}  // Go").into(),
            format!("db.SetConnMaxIdleTime({seconds} * time.Second)  // Go, database/sql").into(),
            format!("config.setIdleTimeout({})  // Java, HikariCP: milliseconds", seconds * 1000).into(),
            format!("-Djdk.httpclient.keepalive.timeout={seconds}  # Java, HttpClient").into(),
            format!("create_engine(…, pool_recycle={seconds}, pool_pre_ping=True)  # Python, SQLAlchemy").into(),
            format!("keepalive_timeout {seconds}s;  # nginx, in upstream").into(),
        ],
    }
}

/// Take new connections as they come.
pub fn accept_sooner() -> Fix {
    fix(
        "accept-sooner",
        FixPlace::ReceivingApplication,
        &[
            "ss -ltn 'sport = :PORT'                       # on the server: Recv-Q waiting for accept(), Send-Q the queue's size",
            "nstat -az TcpExtListenOverflows               # on the server: does it grow?",
            "while ((fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) hand_over(fd);  /* C: accept all, work elsewhere */",
            "worker_processes auto; multi_accept on;       # nginx",
        ],
    )
}
