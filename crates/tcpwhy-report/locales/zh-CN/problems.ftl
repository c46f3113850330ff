# 多个连接的问题。每条一句话，并给出耗去的时间。
# `$which` 形如 `唯一的连接`、`全部 6 个连接`、`共 20 个连接中的 3 个`；`$where` 还写明服务器。

problem-which-only = 唯一的连接
problem-which-all = 全部 { $count } 个连接
problem-which-some = 共 { $all } 个连接中的 { $count } 个
problem-which-only-brief = 唯一的连接
problem-which-all-brief = 全部 { $count } 个
problem-which-some-brief = 共 { $all } 个中的 { $count } 个
problem-where = 到 { $service } 的{ $which }
problem-after = { $low } 到 { $high }

# 失败的连接。`$attempts` 形如 `这次连接`、`共 20 个连接中的 3 个`。
problem-attempts = { $all ->
        [1] 这次连接
       *[other] 共 { $all } 个连接中的 { $count } 个
    }
problem-unanswered = { $service } 始终没有回应：{ $attempts }。
problem-unanswered-reused-ports = { $service } 始终没有回应重用端口的 SYN：{ $attempts }。
problem-refused = { $service } 拒绝了{ $attempts }。
problem-reset-by-client = 客户端在 { $after } 后重置了{ $where }。
problem-reset-by-server = { $service } 在 { $after } 后重置了{ $which }。
problem-reset-between = 中间设备重置了{ $where }。
problem-timed-out = { $where }不再有包到达。
problem-returned = { $service } 有 { $time } 没有应答，之后恢复正常。
problem-silent-here = { $where }：包仍然到达 { $host }，它却不再应答。
problem-unfinished = { $where }结束时还有数据没发出。
problem-request-unanswered = { $service } 有请求没有响应：{ $which }。
problem-handshake-incomplete = { $service } 的 SYN-ACK 没有等到 ACK：{ $which }。
problem-large-vanished = { $where }上满长的报文段（{ $bytes } 字节）全部消失，小的能通过。
problem-idle-close = { $service } 在空闲 { $idle } 后关闭了 { $count } 个连接，而当时正有请求在路上。

# 在多个服务上失败的尝试，以及没有人在等的尝试。
problem-client = { $client } 没有得到 { $hosts } 个地址的应答：{ $count } 次连接失败。
problem-scan-unanswered = { $client } 试探了 { $address } 的 { $ports } 个端口：{ $count } 个 SYN 没有回应。
problem-scan-refused = { $client } 试探了 { $address } 的 { $ports } 个端口：{ $count } 次被拒绝。
problem-scan-handshake-incomplete = { $client } 试探了 { $address } 的 { $ports } 个端口：{ $count } 次握手没有完成。
problem-trace = { $client } 用 { $syns } 个 SYN 探测了到 { $address } 的路径。
problem-flood = { $service } 在 { $time } 内始终没有回应 { $syns } 个 SYN：SYN 洪泛。
problem-strays-unanswered = { $address } 没有回应来自本网络之外的 { $count } 个单独的 SYN。
problem-strays-refused = { $address } 拒绝了来自本网络之外的 { $count } 个单独的 SYN。
problem-peers = { $client } 没有得到 { $hosts } 个对等节点的应答：{ $count } 次连接尝试。
problems-probes = 探测（--problem { $n }）：{ $sentence }
problems-probes-more = 探测（--problem { $n } 起）：{ $sentence }另有 { $more } 个。

# 请求慢的连接。
problem-server = { $all ->
        [1] { $service } 的响应用了 { $lost }。
       *[other] { $service } 的响应用了 { $lost }：{ $which }。
    }
problem-server-often = { $all ->
        [1] { $service } 的响应最长用了 { $longest }。
       *[other] { $service } 的响应最长用了 { $longest }：{ $which }。
    }
problem-round-trips = { $all ->
        [1] 到 { $service } 的 { $requests } 个请求在往返上用了 { $lost }。
       *[other] 到 { $service } 的 { $requests } 个请求在往返上用了 { $lost }：{ $which }。
    }

# 数据慢的连接：按限制因素及其形式，以及是谁的数据。
problem-slow-unobserved = { $where }耗去 { $lost }，抓包看不出原因。
problem-slow-handshake = { $where }：握手耗去 { $lost }。
problem-slow-handshake-syn-rto = { $where }：SYN 丢失或未被理会，耗去 { $lost }。
problem-slow-reused-ports = 重用端口的 SYN 耗费 { $lost }：{ $where }。
problem-slow-loss-recovery = { $where }：丢包重传耗去 { $lost }。
problem-slow-loss-recovery-fast = { $where }：丢包耗去 { $lost }。
problem-slow-loss-recovery-rto = { $where }：超时重传耗去 { $lost }。
problem-slow-loss-recovery-tlp = { $where }：尾部丢包耗去 { $lost }。
problem-slow-loss-recovery-lost-acks-of-server = { $which }：发往 { $service } 的 ACK 丢失，耗去 { $lost }。
problem-slow-loss-recovery-lost-acks-of-client = { $where }：发往客户端的 ACK 丢失，耗去 { $lost }。
problem-slow-loss-recovery-spurious = { $where }：误重传耗去 { $lost }。
problem-slow-receive-window-of-server = { $where }：受限于客户端的接收窗口，耗去 { $lost }。
problem-slow-receive-window-of-client = { $which }：受限于 { $service } 的接收窗口，耗去 { $lost }。
problem-slow-receive-window-zero-window-of-server = { $where }：客户端通告零窗口，耗去 { $lost }。
problem-slow-receive-window-zero-window-of-client = { $which }：{ $service } 通告零窗口，耗去 { $lost }。
problem-slow-receive-window-slow-reader-of-server = { $where }：客户端读得太慢，耗去 { $lost }。
problem-slow-receive-window-slow-reader-of-client = { $which }：{ $service } 读得太慢，耗去 { $lost }。
problem-slow-receive-window-small-buffer-of-server = { $where }：受限于客户端的接收缓冲区，耗去 { $lost }。
problem-slow-receive-window-small-buffer-of-client = { $which }：受限于 { $service } 的接收缓冲区，耗去 { $lost }。
problem-slow-receive-window-capped-of-server = { $where }：客户端的接收窗口已到自动调整上限，耗去 { $lost }。
problem-slow-receive-window-capped-of-client = { $which }：{ $service } 的接收窗口已到自动调整上限，耗去 { $lost }。
problem-slow-receive-window-no-window-scale-of-server = { $where }：没有窗口缩放，受限于客户端的接收窗口，耗去 { $lost }。
problem-slow-receive-window-no-window-scale-of-client = { $which }：没有窗口缩放，受限于 { $service } 的接收窗口，耗去 { $lost }。
problem-slow-receive-window-ramp-of-server = { $where }：客户端的接收窗口还在增长，耗去 { $lost }。
problem-slow-receive-window-ramp-of-client = { $which }：{ $service } 的接收窗口还在增长，耗去 { $lost }。
problem-slow-ack-delay-of-server = { $which }：{ $service } 等待客户端的延迟确认，耗去 { $lost }。
problem-slow-ack-delay-of-client = { $where }：客户端等待延迟确认，耗去 { $lost }。
problem-slow-ack-delay-nagle-of-server = { $which }：Nagle 算法推迟了 { $service } 的小块写入，耗去 { $lost }。
problem-slow-ack-delay-nagle-of-client = { $where }：Nagle 算法推迟了客户端的小块写入，耗去 { $lost }。
problem-slow-ack-delay-delayed-ack-of-server = { $which }：{ $service } 的小块写入等待延迟确认，耗去 { $lost }。
problem-slow-ack-delay-delayed-ack-of-client = { $where }：客户端的小块写入等待延迟确认，耗去 { $lost }。
problem-slow-ack-delay-cork-of-server = { $which }：TCP_CORK 把 { $service } 的小块写入留在套接字里，耗去 { $lost }。
problem-slow-ack-delay-cork-of-client = { $where }：TCP_CORK 把客户端的小块写入留在套接字里，耗去 { $lost }。
problem-slow-application-of-server = { $which }：受限于 { $service } 的应用，耗去 { $lost }。
problem-slow-application-of-client = { $where }：受限于客户端的应用，耗去 { $lost }。
problem-slow-application-think-of-server = { $which }：{ $service } 响应慢，耗去 { $lost }。
problem-slow-application-think-of-client = { $where }：客户端在请求之间停顿，耗去 { $lost }。
problem-slow-application-idle-of-server = { $which }：{ $service } 没有数据可发，耗去 { $lost }。
problem-slow-application-idle-of-client = { $where }：客户端没有数据可发，耗去 { $lost }。
problem-slow-application-peer-turn-of-server = { $which }：{ $service } 在等客户端，耗去 { $lost }。
problem-slow-application-peer-turn-of-client = { $which }：客户端在等 { $service }，耗去 { $lost }。
problem-slow-application-peer-window-of-server = { $where }：客户端的协议窗口太小，耗去 { $lost }。
problem-slow-application-peer-window-of-client = { $which }：{ $service } 的协议窗口太小，耗去 { $lost }。
problem-slow-application-close-wait-of-server = { $which }：数据发完后 { $service } 一直不关闭，耗去 { $lost }。
problem-slow-application-close-wait-of-client = { $where }：数据发完后客户端一直不关闭，耗去 { $lost }。
problem-slow-application-paced-writes-of-server = { $which }：{ $service } 按自身节奏写入，耗去 { $lost }。
problem-slow-application-paced-writes-of-client = { $where }：客户端按自身节奏写入，耗去 { $lost }。
problem-slow-tail-rtt = { $where }：最后一轮在途数据耗去 { $lost }。
problem-slow-path = { $where }：瓶颈路径已跑满，耗去 { $lost }。
problem-slow-path-queue = { $where }：瓶颈链路和它的队列都已满，耗去 { $lost }。
problem-slow-path-ack-queue-of-server = { $which }：发往 { $service } 的 ACK 在途中排队，耗去 { $lost }。
problem-slow-path-ack-queue-of-client = { $where }：发往客户端的 ACK 在途中排队，耗去 { $lost }。
problem-slow-path-policer = { $where }：限速设备（policer）丢包，耗去 { $lost }。
problem-slow-send-buffer-of-server = { $which }：受限于 { $service } 的发送缓冲区，耗去 { $lost }。
problem-slow-send-buffer-of-client = { $where }：受限于客户端的发送缓冲区，耗去 { $lost }。
problem-slow-slow-start = { $where }：慢启动耗去 { $lost }。
problem-slow-congestion-window-of-server = { $which }：受限于 { $service } 的拥塞窗口，耗去 { $lost }。
problem-slow-congestion-window-of-client = { $where }：受限于客户端的拥塞窗口，耗去 { $lost }。
problem-slow-congestion-window-post-loss-of-server = { $which }：丢包使 { $service } 的拥塞窗口一直偏小，耗去 { $lost }。
problem-slow-congestion-window-post-loss-of-client = { $where }：丢包使客户端的拥塞窗口一直偏小，耗去 { $lost }。
problem-slow-congestion-window-post-mark-of-server = { $which }：ECN 标记使 { $service } 的拥塞窗口一直偏小，耗去 { $lost }。
problem-slow-congestion-window-post-mark-of-client = { $where }：ECN 标记使客户端的拥塞窗口一直偏小，耗去 { $lost }。
problem-slow-congestion-window-delay-exit-of-server = { $which }：{ $service } 过早结束慢启动，耗去 { $lost }。
problem-slow-congestion-window-delay-exit-of-client = { $where }：客户端过早结束慢启动，耗去 { $lost }。
problem-slow-congestion-window-paced-of-server = { $which }：受限于 { $service } 自行 pacing，耗去 { $lost }。
problem-slow-congestion-window-paced-of-client = { $where }：受限于客户端自行 pacing，耗去 { $lost }。
problem-slow-congestion-window-other-of-server = { $which }：受限于 { $service } 的拥塞窗口或发送缓冲区，耗去 { $lost }。
problem-slow-congestion-window-other-of-client = { $where }：受限于客户端的拥塞窗口或发送缓冲区，耗去 { $lost }。

# 同一类的几种形式都有时。
problem-slow-family-handshake = { $where }：SYN 丢失或未被理会，耗去 { $lost }。
problem-slow-family-loss = { $where }：丢包耗去 { $lost }。
problem-slow-family-receive-window-of-server = { $where }：受限于客户端的接收窗口，耗去 { $lost }。
problem-slow-family-receive-window-of-client = { $which }：受限于 { $service } 的接收窗口，耗去 { $lost }。
problem-slow-family-ack-delay-of-server = { $which }：{ $service } 的小块写入和延迟确认耗去 { $lost }。
problem-slow-family-ack-delay-of-client = { $where }：客户端的小块写入和延迟确认耗去 { $lost }。
problem-slow-family-application-of-server = { $which }：受限于 { $service } 的应用，耗去 { $lost }。
problem-slow-family-application-of-client = { $where }：受限于客户端的应用，耗去 { $lost }。
problem-slow-family-close-wait-of-server = { $which }：数据发完后 { $service } 一直不关闭，耗去 { $lost }。
problem-slow-family-close-wait-of-client = { $where }：数据发完后客户端一直不关闭，耗去 { $lost }。
problem-slow-family-path = { $where }：瓶颈路径已跑满，耗去 { $lost }。
problem-slow-family-send-buffer-of-server = { $which }：受限于 { $service } 的发送缓冲区，耗去 { $lost }。
problem-slow-family-send-buffer-of-client = { $where }：受限于客户端的发送缓冲区，耗去 { $lost }。
problem-slow-family-slow-start = { $where }：慢启动耗去 { $lost }。
problem-slow-family-congestion-window-of-server = { $which }：受限于 { $service } 的拥塞窗口，耗去 { $lost }。
problem-slow-family-congestion-window-of-client = { $where }：受限于客户端的拥塞窗口，耗去 { $lost }。

# 问题下面的一行：最能说明问题的那个连接的两三个数字。

problem-evidence = 编号 { $n }：{ $facts }；从包 { $packet } 起。
proof-timeouts = { $count } 次超时
proof-retransmitted = { $all } 个段中重传了 { $count } 个
proof-round-trip = RTT { $time }
proof-flight = 在途 { $bytes }
proof-window = 窗口 { $bytes }
proof-zero-windows = { $count } 次零窗口
proof-turns = { $count } 次等待确认
proof-ack-delay = 确认延迟 { $time }
proof-carried = { $time }传输 { $bytes }
proof-rate = { $rate }
proof-requests = { $count } 个请求
proof-slowest = 最慢的响应 { $time }
proof-syns = { $count } 个 SYN
proof-syn-acks = { $count } 个 SYN-ACK
proof-tried = 尝试了 { $time }
proof-delivered = 已确认 { $bytes }
proof-unacknowledged = 未确认 { $bytes }
proof-repeats = { $count } 次重传没有应答
proof-silence = 沉默 { $time }
proof-request = 请求 { $bytes }
proof-idle = 空闲 { $time }
proof-awaited = { $time }没有响应
proof-reused = 端口在一分钟内用过的 { $all } 个连接中有 { $count } 个
proof-not-reused = 其余 { $all } 个中有 { $count } 个
proof-passed = 最大 { $bytes } 的报文段通过了
proof-from = 由 { $end } 发出
proof-last-from = 最后的包来自 { $end }

# 失败与什么有关：具有该特征的连接，以及同一时段的其他连接。
problem-goes-with-client = 客户端 { $client } 的 { $all } 个连接中有 { $failed } 个失败，同一时段其他客户端的 { $rest } 个连接中有 { $without } 个失败。
problem-goes-with-server = 到 { $server } 的 { $all } 个连接中有 { $failed } 个失败，同一时段到同网段另外 { $others } 台服务器的 { $rest } 个连接中有 { $without } 个失败。
problem-goes-with-direction-to-server = { $all } 次上传中有 { $failed } 次失败，同一时段 { $rest } 次下载中有 { $without } 次失败。
problem-goes-with-direction-to-client = { $all } 次下载中有 { $failed } 次失败，同一时段 { $rest } 次上传中有 { $without } 次失败。
problem-goes-with-size-to-server = 客户端发送量达到 { $bytes } 的 { $all } 个连接中有 { $failed } 个失败，同一时段发送量较少的 { $rest } 个连接中有 { $without } 个失败。
problem-goes-with-size-to-client = 服务器发送量达到 { $bytes } 的 { $all } 个连接中有 { $failed } 个失败，同一时段发送量较少的 { $rest } 个连接中有 { $without } 个失败。
