//! Fixes in applications: changes in the use of their sockets.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::CodePart::{Blank, Text, Value};
use tcpwhy_model::Hole::{PeerInUrl, ServerAndPort, ServerPort, SocketsHere};
use tcpwhy_model::Program::{
    Apache, C, DotNet, Envoy, Go, Haproxy, Java, Kafka, MySql, Nginx, Node, PostgreSql, Python, Redis, Rust, Ssh,
    Tomcat,
};
use tcpwhy_model::{Fix, FixLine, FixPlace};

use super::{fix, line, process_here, round_size, route_towards_peer, setting};

/// Proposes to read continuously, and to do the work in another thread.
pub fn read_faster() -> Fix {
    fix(
        "read-faster",
        FixPlace::ReceivingApplication,
        vec![
            Java.line("executor.submit(() -> handle(buffer));        // ", "java-read-in-one-thread-work"),
            Go.line("ch <- buf                                     // ", "go-reading-goroutine-only-hands-on"),
            Python.line("queue.put(sock.recv(1 << 18))                 # ", "python-reading-thread-only-hands-on"),
            Nginx.line("proxy_buffering on;                           # ", "nginx-take-answers-from-upstream-at"),
            Nginx.line("proxy_request_buffering on;                   # ", "nginx-take-uploads-at-full-speed"),
        ],
    )
}

/// Proposes fewer, larger reads.
pub fn enlarge_reads() -> Fix {
    fix(
        "enlarge-reads",
        FixPlace::ReceivingApplication,
        vec![
            Java.line("new BufferedInputStream(socket.getInputStream(), 1 << 18)  // ", "java"),
            Go.line("bufio.NewReaderSize(conn, 1<<18)                           // ", "go"),
            Python.line("sock.recv(1 << 18)                                         # ", "python"),
            C.line("recv(fd, buf, 1 << 18, 0);                                 /* ", "c"),
        ],
    )
    .conditional()
}

/// Proposes to delete the call that limits the rate, or to raise the limit.
pub fn raise_max_pacing_rate() -> Fix {
    fix(
        "raise-max-pacing-rate",
        FixPlace::SendingApplication,
        vec![
            C.line("setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, …);       /* ", "c-delete"),
            Python.line("sock.setsockopt(socket.SOL_SOCKET, 47, …)               # ", "python-delete"),
        ],
    )
    .conditional()
}

/// Proposes to let the kernel send data that `TCP_CORK` holds.
pub fn uncork() -> Fix {
    fix(
        "uncork",
        FixPlace::SendingApplication,
        vec![
            C.line("setsockopt(fd, IPPROTO_TCP, TCP_CORK, &(int){0}, sizeof(int));  /* ", "c"),
            Python.line("sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)         # ", "python"),
        ],
    )
}

/// Proposes to turn Nagle's algorithm off.
pub fn set_tcp_nodelay() -> Fix {
    fix("set-tcp-nodelay", FixPlace::SendingApplication, nodelay_lines())
}

/// Proposes to turn Nagle's algorithm off at both ends: either end alone leaves the other's waits.
pub fn set_tcp_nodelay_at_both_ends() -> Fix {
    fix("set-tcp-nodelay-at-both-ends", FixPlace::SendingApplication, nodelay_lines())
}

fn nodelay_lines() -> Vec<FixLine> {
    vec![
        Java.line("socket.setTcpNoDelay(true);                                                // ", "java"),
        Java.line(
            "bootstrap.childOption(ChannelOption.TCP_NODELAY, true);                    // ",
            "netty-its-default",
        ),
        Go.line("conn.SetNoDelay(true)                                                      // ", "go-its-default"),
        Python.line("sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)                 # ", "python"),
        C.line("setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));          /* ", "c"),
        Nginx
            .line("tcp_nodelay on;                                                            # ", "nginx-its-default"),
        MySql.client_line(
            Java,
            "jdbc:mysql://…?tcpNoDelay=true                                             # ",
            "jdbc-mysql-its-default",
        ),
    ]
}

/// Proposes to read also while there is data to write. One end that does so ends the mutual wait.
pub fn read_while_writing() -> Fix {
    fix(
        "read-while-writing",
        FixPlace::SendingApplication,
        vec![
            Java.line("new Thread(() -> readAll(in)).start(); out.write(request);                 // ", "java"),
            Go.line("go io.Copy(answers, conn); conn.Write(request)                             // ", "go"),
            Python.line("threading.Thread(target=read_all, args=[sock]).start(); sock.sendall(data) # ", "python"),
            C.line("poll(&(struct pollfd){fd, POLLIN | POLLOUT}, 1, -1);                       /* ", "c"),
        ],
    )
}

/// Proposes to read the whole request before closing, or to close only for writing and read on. Otherwise the
/// host resets the connection when more data arrives, and the client may lose the answer (RFC 9112 §9.6).
pub fn read_before_close() -> Fix {
    fix(
        "read-before-close",
        FixPlace::ReceivingApplication,
        vec![
            Nginx.line("client_max_body_size 100m;                    # ", "nginx-larger-requests"),
            Nginx.line("lingering_close always; lingering_time 30s;   # ", "nginx"),
            C.line("shutdown(fd, SHUT_WR); while (read(fd, buf, sizeof buf) > 0) {} close(fd);  /* ", "c"),
        ],
    )
    .conditional()
}

/// Proposes one write per message.
pub fn coalesce_writes() -> Fix {
    fix(
        "coalesce-writes",
        FixPlace::SendingApplication,
        vec![
            Java.line(
                "out = new BufferedOutputStream(socket.getOutputStream()); …; out.flush();  // ",
                "java-one-flush-message",
            ),
            Go.line(
                "w := bufio.NewWriter(conn); …; w.Flush()                                   // ",
                "go-one-flush-message",
            ),
            Python.line("sock.sendall(header + body)                                                # ", "python"),
            C.line("writev(fd, iov, 2);                                                        /* ", "c"),
            C.line("send(fd, header, n, MSG_MORE); send(fd, body, m, 0);                       /* ", "c"),
        ],
    )
}

/// Proposes immediate acknowledgments.
pub fn quickack() -> Fix {
    fix(
        "quickack",
        FixPlace::ReceivingApplication,
        vec![
            C.line(
                "setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &(int){1}, sizeof(int));  /* ",
                "c-again-after-every-read",
            ),
            Python.line(
                "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)         # ",
                "python-again-after-every-read",
            ),
            route_towards_peer("quickack 1  # ", "linux-for-whole-route"),
        ],
    )
}

/// Proposes to keep data ready in the socket.
pub fn write_more_ahead() -> Fix {
    fix(
        "write-more-ahead",
        FixPlace::SendingApplication,
        vec![
            Java.line("FileChannel.transferTo(0, size, socketChannel);            // ", "java-files-without-copying"),
            Go.line("io.CopyBuffer(conn, src, make([]byte, 1<<20))              // ", "go-large-pieces"),
            Python.line("sock.sendfile(f)                                           # ", "python"),
            C.line("sendfile(fd, file, &offset, count);                        /* ", "c"),
            Nginx.line("sendfile on; output_buffers 2 1m;                          # ", "nginx"),
            Nginx.line("limit_rate 0;                                              # ", "nginx-no-rate-limit-default"),
        ],
    )
    .conditional()
}

/// Kind of requests that are sent one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipelined {
    /// Statements, commands, messages.
    Requests,
    /// Blocks of a file or of a queue.
    Blocks,
}

/// Proposes several requests at once, or more data per request.
pub fn pipeline_requests(of: Pipelined) -> Fix {
    fix("pipeline-requests", FixPlace::SendingApplication, pipeline_lines(of)).conditional()
}

fn pipeline_lines(of: Pipelined) -> Vec<FixLine> {
    if of == Pipelined::Requests {
        return vec![
            Java.line("statement.setFetchSize(1000);                              // ", "jdbc-more-rows-turn"),
            MySql.client_line(
                Java,
                "jdbc:mysql://…?useCursorFetch=true&defaultFetchSize=1000   # ",
                "jdbc-mysql-reading-cursor",
            ),
            MySql.client_line(
                Java,
                "jdbc:mysql://…?rewriteBatchedStatements=true               # ",
                "jdbc-mysql-writing-addbatch",
            ),
            Redis.client_line(Python, "pipe = redis.pipeline(); …; pipe.execute()                 # ", "redis-python"),
            Kafka.client_line(
                Java,
                "max.in.flight.requests.per.connection=5                    # ",
                "kafka-producer-its-default",
            ),
        ];
    }
    let mut lines = sftp_lines();
    lines.extend([
        line("mount -o rsize=4194304,wsize=4194304 …  # ", "smb-nfs-larger-blocks"),
        Kafka.client_line(Java, "max.partition.fetch.bytes=16777216  # ", "kafka-consumer-more-in-each-fetch"),
        Java.line("statement.setFetchSize(1000);  // ", "jdbc-more-rows-turn"),
    ]);
    lines
}

/// A protocol above TCP with a window of its own, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowedProtocol {
    /// SSH, and SFTP over it.
    Ssh,
    /// HTTP/2, gRPC, SSH at a port of its own, or another.
    Unknown,
}

/// Proposes to let the protocol above TCP have at least `bytes` in flight.
pub fn raise_peer_window(bytes: u64, protocol: WindowedProtocol) -> Fix {
    let bytes = round_size(bytes);
    let lines = match protocol {
        WindowedProtocol::Ssh => ssh_lines(bytes),
        WindowedProtocol::Unknown => {
            let mut lines = http2_lines(bytes);
            lines.extend(sftp_lines());
            lines
        }
    };
    Fix::new("raise-peer-window", FixPlace::ReceivingApplication, lines)
}

/// Windows of HTTP/2 and gRPC, in the receiving program.
fn http2_lines(bytes: u64) -> Vec<FixLine> {
    vec![
        Nginx.line(format!("http2_body_preread_size {}k;  # ", bytes / 1024), "nginx-uploads-default-64k"),
        Haproxy.line(format!("tune.h2.initial-window-size {bytes}  # "), "haproxy-global-default-65535"),
        Envoy.line(
            format!(
                "http2_protocol_options: {{ initial_stream_window_size: {bytes}, initial_connection_window_size: {bytes} }}  # "
            ),
            "envoy",
        ),
        Apache.line(format!("H2WindowSize {bytes}  # "), "apache-httpd-uploads-default-65535"),
        Tomcat.line(
            format!(
                "<UpgradeProtocol className=\"org.apache.coyote.http2.Http2Protocol\" initialWindowSize=\"{bytes}\"/>  # "
            ),
            "tomcat-uploads-default-65535",
        ),
        Go.line(
            format!("http2.Server{{MaxUploadBufferPerStream: {bytes}, MaxUploadBufferPerConnection: {bytes}}}  // "),
            "go-server",
        ),
        Go.line(
            format!("grpc.WithInitialWindowSize({bytes}), grpc.WithInitialConnWindowSize({bytes})  // "),
            "grpc-go-client-server-without-with",
        ),
        Java.line(format!("NettyChannelBuilder.forTarget(…).flowControlWindow({bytes})  // "), "grpc-java-netty"),
        Python.line(
            format!("grpc.insecure_channel(…, options=[(\"grpc.http2.lookahead_bytes\", {bytes})])  # "),
            "grpc-python-c-default-64k",
        ),
        Node.line(
            format!(
                "http2.connect(url, {{settings: {{initialWindowSize: {bytes}}}}}); session.setLocalWindowSize({bytes});  // "
            ),
            "node",
        ),
        DotNet.line(format!("new SocketsHttpHandler {{ InitialHttp2StreamWindowSize = {bytes} }}  // "), "dotnet"),
        Rust.line(
            format!(
                "Client::builder().http2_initial_stream_window_size({bytes}).http2_initial_connection_window_size({bytes})  // "
            ),
            "rust-reqwest-hyper-tonic",
        ),
    ]
}

/// More outstanding requests, because SFTP waits for an answer to each piece of a file.
fn sftp_lines() -> Vec<FixLine> {
    vec![
        Ssh.line(&[Text("sftp -R 256 "), Value(PeerInUrl), Text("  # ")], "sftp-more-requests-default-64"),
        Ssh.line("rclone --sftp-concurrency 256 …  # ", "rclone-more-requests-default-64"),
    ]
}

/// OpenSSH has no option for the window of a channel (`CHAN_SES_WINDOW_DEFAULT`, channels.h: 2 MiB). The
/// alternatives are more SFTP requests, programs with such an option, or several connections.
fn ssh_lines(bytes: u64) -> Vec<FixLine> {
    let mut lines = sftp_lines();
    lines.extend([
        Ssh.line(
            &[Text("lftp -e 'set sftp:max-packets-in-flight 256' sftp://"), Value(PeerInUrl), Text("  # ")],
            "lftp-more-requests-default-16",
        ),
        Ssh.line(
            &[Text("lftp -e 'pget -n 8 "), Blank("FILE"), Text("' sftp://"), Value(PeerInUrl), Text("  # ")],
            "lftp-eight-connections",
        ),
        Ssh.client_line(
            Python,
            format!("paramiko.Transport(sock, default_window_size={bytes})  # "),
            "paramiko-default-2097152",
        ),
        Ssh.line(&[Text("hpnscp "), Blank("FILE"), Text(" "), Value(PeerInUrl), Text(":  # ")], "hpn-ssh-window-grows"),
    ]);
    lines
}

/// Proposes TLS without a full handshake.
pub fn resume_tls_sessions() -> Fix {
    fix(
        "resume-tls-sessions",
        FixPlace::ReceivingApplication,
        vec![
            Nginx.line(
                "ssl_session_cache shared:tls:10m; ssl_session_timeout 1h; ssl_protocols TLSv1.2 TLSv1.3;  # ",
                "nginx",
            ),
            Apache.line("SSLSessionCache shmcb:/run/apache2/tls(1048576)             # ", "apache-httpd"),
            line(
                &[Text("openssl s_client -connect "), Value(ServerAndPort), Text(" -reconnect  # ")],
                "reused-the-server-resumes",
            ),
        ],
    )
}

/// Proposes to reuse connections.
pub fn reuse_connection() -> Fix {
    fix(
        "reuse-connection",
        FixPlace::SendingApplication,
        vec![
            Java.line("HttpClient client = HttpClient.newHttpClient();            // ", "java-one-for-whole-process"),
            Go.line("var client = &http.Client{}                                // ", "go-one-for-whole-process-read"),
            Python
                .line("session = requests.Session()                               # ", "python-one-for-whole-process"),
            Nginx.line(
                "keepalive 32; proxy_http_version 1.1; proxy_set_header Connection \"\";  # ",
                "nginx-upstream-and-location",
            ),
        ],
    )
}

/// Proposes stack traces and slow-query logs, which show the operation that the application waits for.
pub fn profile_application() -> Fix {
    fix(
        "profile-application",
        FixPlace::SendingApplication,
        vec![
            process_here(),
            Java.line(
                "jcmd $PID Thread.print                                      # ",
                "java-what-every-thread-waits-for",
            ),
            Java.line("jstat -gcutil $PID 1000                                     # ", "java-garbage-collection"),
            Go.line("curl localhost:6060/debug/pprof/goroutine?debug=2          # ", "go-net-http-pprof"),
            Python.line("py-spy dump --pid $PID                                      # ", "python"),
            line("strace -f -T -e trace=network,desc -p $PID                  # ", "any-process"),
            line("offcputime-bpfcc -p $PID 10                                 # ", "any-process-stacks-of-waits"),
            MySql.line("SET GLOBAL slow_query_log = ON, long_query_time = 0.1;     -- ", "mysql-mariadb"),
            PostgreSql.line(
                "SELECT pid, state, wait_event, query FROM pg_stat_activity;  -- ",
                "postgresql-waits-of-sessions",
            ),
            Redis.line("redis-cli SLOWLOG GET 10                                   # ", "redis-slow-commands"),
        ],
    )
    .measure()
}

/// Proposes stack traces of the server, which show the call in which the request hangs.
pub fn find_hanging_request() -> Fix {
    fix(
        "find-hanging-request",
        FixPlace::ReceivingApplication,
        vec![
            process_here(),
            line(&[Text("ss -tnp 'sport = :"), Value(ServerPort), Text("'  # ")], "recv-q-not-zero-never-read"),
            Java.line("jcmd $PID Thread.print                    # ", "java-what-every-thread-waits-for"),
            Go.line("curl localhost:6060/debug/pprof/goroutine?debug=2  # ", "go-net-http-pprof"),
            Python.line("py-spy dump --pid $PID                    # ", "python"),
            line("gdb -p $PID -batch -ex 'thread apply all bt'  # ", "any-process"),
            Nginx.line("proxy_read_timeout 30s;                  # ", "nginx-answer-504-instead"),
            Haproxy.line("timeout server 30s                       # ", "haproxy-answer-504-instead"),
        ],
    )
    .measure()
}

/// Proposes the same for the receiving application, while it does not read.
pub fn profile_receiver() -> Fix {
    Fix { id: "profile-receiver", place: FixPlace::ReceivingApplication, ..profile_application() }
}

/// Proposes to close connections that the peer has closed.
pub fn close_connection() -> Fix {
    fix(
        "close-connection",
        FixPlace::SendingApplication,
        vec![
            Java.line("try (Socket socket = …) { … }                 // ", "java-closed-whatever-happens"),
            Go.line("defer conn.Close()                            // ", "go-for-http-defer-response-body"),
            Python.line("with contextlib.closing(sock): …              # ", "python"),
            C.line("if (recv(fd, buf, size, 0) == 0) close(fd);   /* ", "c"),
            line(
                &[Text("ss -tnp state close-wait "), Value(SocketsHere), Text("  # ")],
                "which-process-holds-how-many",
            ),
        ],
    )
}

/// Proposes a keep-alive on an idle connection every `seconds` seconds, before any middlebox forgets it.
pub fn keep_alive_every(seconds: i64) -> Fix {
    let seconds = seconds.max(1);
    let millis = seconds.saturating_mul(1000);
    Fix::new(
        "keep-alive-every",
        FixPlace::SendingApplication,
        vec![
            C.line(
                format!("setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &(int){{{seconds}}}, sizeof(int));  /* "),
                "c-with-so-keepalive",
            ),
            Java.line(
                format!("socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, {seconds})  // "),
                "java-11-so-keepalive",
            ),
            Go.line(
                format!(
                    "net.Dialer{{KeepAliveConfig: net.KeepAliveConfig{{Enable: true, Idle: {seconds} * time.Second}}}}  // "
                ),
                "go-1-23",
            ),
            Python.line(
                format!("sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, {seconds})  # "),
                "python-with-so-keepalive",
            ),
            Node.line(format!("socket.setKeepAlive(true, {millis});  // "), "node"),
            Rust.line(
                format!(
                    "socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(Duration::from_secs({seconds})))  // "
                ),
                "rust-socket2",
            ),
            setting::lower(Sysctl::TcpKeepaliveTime, seconds.unsigned_abs(), "linux-all-sockets-so-keepalive"),
            Nginx.line(format!("listen 443 ssl so_keepalive={seconds}s::;  # "), "nginx-upstream-proxy-socket-keepalive"),
            Haproxy.line(format!("option clitcpka; clitcpka-idle {seconds}s  # "), "haproxy-servers-srvtcpka"),
            Envoy.line(
                format!("upstream_connection_options: {{ tcp_keepalive: {{ keepalive_time: {seconds} }} }}  # "),
                "envoy-cluster",
            ),
            PostgreSql.line(format!("tcp_keepalives_idle = {seconds}  # "), "postgresql-clients-keepalives-idle"),
            Ssh.line(format!("ServerAliveInterval {seconds}  # "), "ssh-config"),
        ],
    )
}

/// Shortest `maxLifetime` that `HikariCP` accepts, seconds (its README). Its `idleTimeout` has no effect in a
/// pool of fixed size, which is the default.
const HIKARICP_LEAST_LIFETIME: i64 = 30;

/// Proposes to close connections that have been idle in a pool for `seconds` seconds.
pub fn retire_idle_connections(seconds: i64) -> Fix {
    Fix::new("retire-idle-connections", FixPlace::SendingApplication, pool_lines(seconds.max(1)))
}

/// Proposes to keep idle connections longer than the clients' pools. Here a pool used a connection after
/// `seconds` seconds; its limit is not in the packets.
pub fn outlast_pool(seconds: i64) -> Fix {
    // More than the 60 s of common load balancers and pools; the default of nginx.
    const LEAST: i64 = 75;
    let seconds = seconds.saturating_mul(2).max(LEAST);
    let millis = seconds.saturating_mul(1000);
    Fix::new(
        "outlast-pool",
        FixPlace::ReceivingApplication,
        vec![
            Nginx.line(format!("keepalive_timeout {seconds}s;  # "), "nginx"),
            Apache.line(format!("KeepAliveTimeout {seconds}  # "), "apache-httpd"),
            Tomcat.line(format!("keepAliveTimeout=\"{millis}\"  # "), "tomcat-connector-milliseconds"),
            Haproxy.line(format!("timeout http-keep-alive {seconds}s  # "), "haproxy-tcp-timeout-client-server"),
            Node.line(format!("server.keepAliveTimeout = {millis};  // "), "node"),
            Go.line(format!("http.Server{{IdleTimeout: {seconds} * time.Second}}  // "), "go"),
            Python.line(format!("uvicorn --timeout-keep-alive {seconds}  # "), "python-gunicorn-keep-alive"),
        ],
    )
    .conditional()
}

/// Lines for pools of HTTP, database and Kafka clients, then for proxies.
fn pool_lines(seconds: i64) -> Vec<FixLine> {
    let millis = seconds.saturating_mul(1000);
    let mut lines = vec![
        Go.line(format!("http.Transport{{IdleConnTimeout: {seconds} * time.Second}}  // "), "go"),
        Go.line(format!("db.SetConnMaxIdleTime({seconds} * time.Second)  // "), "go-database-sql"),
        Java.line(format!("-Djdk.httpclient.keepalive.timeout={seconds}  # "), "java-httpclient"),
        Java.line(
            format!("HttpClients.custom().evictIdleConnections(TimeValue.ofSeconds({seconds}))  // "),
            "java-apache-httpclient-5",
        ),
        Java.line(format!("new ConnectionPool(5, {seconds}, TimeUnit.SECONDS)  // "), "java-okhttp"),
    ];
    if seconds >= HIKARICP_LEAST_LIFETIME {
        lines.push(Java.line(format!("config.setMaxLifetime({millis})  // "), "java-hikaricp-milliseconds"));
    }
    lines.extend([
        Python.line(format!("create_engine(…, pool_recycle={seconds}, pool_pre_ping=True)  # "), "python-sqlalchemy"),
        DotNet.line(
            format!("new SocketsHttpHandler {{ PooledConnectionIdleTimeout = TimeSpan.FromSeconds({seconds}) }}  // "),
            "dotnet",
        ),
        Kafka.client_line(Java, format!("connections.max.idle.ms={millis}  # "), "kafka-clients-default-540000"),
        Nginx.line(format!("keepalive_timeout {seconds}s;  # "), "nginx-in-upstream"),
        Haproxy.line(format!("timeout http-keep-alive {seconds}s  # "), "haproxy-tcp-timeout-client-server"),
        Envoy.line(
            format!("common_http_protocol_options: {{ idle_timeout: {seconds}s }}  # "),
            "envoy-cluster-default-1-h",
        ),
    ]);
    lines
}

/// Proposes to accept new connections at once.
pub fn accept_sooner() -> Fix {
    fix(
        "accept-sooner",
        FixPlace::ReceivingApplication,
        vec![
            line(&[Text("ss -ltn 'sport = :"), Value(ServerPort), Text("'  # ")], "on-server-recv-q-waiting-for"),
            line("nstat -az TcpExtListenOverflows               # ", "on-server-does-it-grow"),
            C.line(
                "while ((fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) hand_over(fd);  /* ",
                "c-accept-all-work-elsewhere",
            ),
            Nginx.line("worker_processes auto; multi_accept on;       # ", "nginx"),
        ],
    )
}
