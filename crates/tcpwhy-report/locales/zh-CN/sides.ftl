# 两份抓包的对照（`tcpwhy compare`），以及同一份抓包中代理的两段连接。

sides-heading-problems = 问题，A → B
sides-no-problems = 两份抓包都没有问题。
sides-new = 新增
sides-worse = 变差
sides-gone = 消失
sides-better = 好转
sides-same = 相同
sides-only-before = 仅在 A
sides-only-after = 仅在 B

sides-problem = { $server }，{ $what }：连接 { $connections }
sides-problem-lost = { $server }，{ $what }：连接 { $connections }，损失 { $lost }
sides-of = { $count }/{ $all }
sides-more-problems = 另有 { $count } 个问题，用 --json 列出。

sides-failed-unanswered = SYN 无应答
sides-failed-refused = 被拒绝
sides-failed-reset-by-client = 被客户端重置
sides-failed-reset-by-server = 被服务器重置
sides-failed-reset-between = 被中间设备重置
sides-failed-timed-out = 数据包不再到达
sides-failed-unfinished = 结束时还有数据未发出
sides-failed-request-unanswered = 请求没有应答
sides-failed-handshake-incomplete = 握手始终没有完成
sides-failed-large-vanished = 满长的报文段消失
sides-failed-idle-close = 空闲时被关闭，丢了一个请求
sides-scan-unanswered = 端口扫描，SYN 无应答
sides-scan-handshake-incomplete = 端口扫描，握手没有完成
sides-scan-refused = 端口扫描，被拒绝
sides-trace-unanswered = 路径探测，SYN 无应答
sides-trace-handshake-incomplete = 路径探测，握手没有完成
sides-trace-refused = 路径探测，被拒绝
sides-flood-unanswered = SYN 洪泛，无应答
sides-strays-unanswered = 外来的单个 SYN，无应答
sides-strays-refused = 外来的单个 SYN，被拒绝
sides-peers-unanswered = 没有应答的对等节点
sides-client-unanswered = 没有应答的地址
sides-slow-server = 服务器应答慢
sides-slow-round-trips = 每个请求都要等一次往返

sides-heading-services = 服务，A → B
sides-column-service = 服务
sides-column-connections = 连接
sides-column-failed = 失败
sides-column-median = 请求中位数
sides-column-p95 = 请求 p95
sides-column-server-median = 服务器中位数
sides-column-server-p95 = 服务器 p95
sides-more-services = 另有 { $count } 个服务，用 --json 列出。

sides-only-services = 有数据的连接都没有对应：只比较服务和问题。

legs-relay = { $outer } 被转发为 { $inner }（{ $count } 对）。
legs-slower = 较慢的一段是 { $leg }：{ $cause }。
legs-clients = 多个客户端
legs-more = 另有 { $count } 个转发，用 --json 列出。

# 对比的第一行。`$why` 是下面的一个分句，`$limit` 与 `$other` 是限制的名称。
contrast-second-transfer = B 的速度是原来的 { $times } 倍（{ $a } → { $b }）：{ $why }。
contrast-other-transfer = B 的速度是 A 的 { $times } 倍（{ $b } 与 { $a }）：{ $why }。
contrast-first-transfer = A 的速度是 B 的 { $times } 倍（{ $a } 与 { $b }）：{ $why }。
contrast-equal-transfer = A 与 B 速度相近（{ $a } 与 { $b }）：{ $why }。
contrast-second-requests = B 的请求速度是原来的 { $times } 倍（中位数 { $a } → { $b }）：{ $why }。
contrast-other-requests = B 的请求速度是 A 的 { $times } 倍（中位数 { $b } 与 { $a }）：{ $why }。
contrast-first-requests = A 的请求速度是 B 的 { $times } 倍（中位数 { $a } 与 { $b }）：{ $why }。
contrast-equal-requests = A 与 B 的请求速度相近（中位数 { $a } 与 { $b }）：{ $why }。

contrast-neither = 两者都不受限制
contrast-same = 两者都受限于{ $limit }
contrast-same-reason = { $same }；{ $reason }
contrast-only = { $letter } 受限于{ $limit }，{ $rest } 不受限制
contrast-each = { $letter } 受限于{ $limit }，{ $rest } 受限于{ $other }
contrast-gone = 不再受限于{ $limit }，也没有其他限制
contrast-gone-loss = 不再丢包，也没有其他限制
contrast-next = 不再受限于{ $limit }；下一个限制是{ $next }
contrast-next-loss = 不再丢包；下一个限制是{ $next }
contrast-now = A 不受限制；B 受限于{ $next }

contrast-reason-round-trip = A 的 RTT 为 { $a }，B 为 { $b }
contrast-reason-flight = A 在途 { $a }，B 在途 { $b }
contrast-reason-window = A 的接收窗口为 { $a }，B 为 { $b }
contrast-reason-retransmitted = A 重传 { $a }，B 重传 { $b }

contrast-limit-nothing = 无限制
contrast-limit-handshake = 握手
contrast-limit-loss = 丢包
contrast-limit-receive-window = 接收窗口
contrast-limit-ack-delay = ACK 延迟
contrast-limit-application = 发送端应用
contrast-limit-think = 发送端的处理时间
contrast-limit-idle = 发送端空闲
contrast-limit-peer-turn = 等待对端
contrast-limit-peer-window = 对端的协议窗口
contrast-limit-paced-writes = 应用自身的节奏
contrast-limit-close-wait = 等待关闭
contrast-limit-path = 路径
contrast-limit-policer = 限速设备（policer）
contrast-limit-send-buffer = 发送缓冲区
contrast-limit-slow-start = 慢启动
contrast-limit-congestion-window = 拥塞窗口
contrast-limit-tail-rtt = 最后一个往返
contrast-limit-unobserved = 抓包中看不到的限制
contrast-party-client = 客户端
contrast-party-server = 服务器
contrast-party-round-trips = 往返时延
contrast-party-transfers = 传输

contrast-directions-client = A 与 B 无法对比：A 中由客户端发送，B 中由服务器发送。
contrast-directions-server = A 与 B 无法对比：A 中由服务器发送，B 中由客户端发送。
contrast-clock = A 与 B 无法对比：{ $letter } 的时钟有误。
contrast-little = A 与 B 无法对比：{ $letter } 几乎没有数据（{ $bytes }）。
contrast-kinds = A 与 B 无法对比：{ $letter } 有 { $count } 个请求，{ $other } 只有一次传输。
contrast-paced = A 与 B 无法对比：{ $letter } 的节奏由人或事件决定。
contrast-failed = { $letter } 失败（{ $what }）；{ $other } 在 { $time } 内发送了 { $bytes }。
contrast-failed-alike = A 与 B 都失败，原因相同（{ $what }）。
contrast-failed-both = A 与 B 都失败：A（{ $a }），B（{ $b }）。

# 同一条连接的两端。
contrast-ends = 同一条连接：A 抓取于{ $a }，B 抓取于{ $b }。
contrast-ends-many = { $count } 条连接中最大的一条：A 抓取于{ $a }，B 抓取于{ $b }。
contrast-place-sender = 发送端
contrast-place-receiver = 接收端
contrast-place-middle = 两端之间
contrast-place-unknown = 未知位置
contrast-trust-nothing = 两者都未显示限制。
contrast-trust-both = 两者结论一致：{ $limit }。
contrast-trust-neither = A 的结论是{ $a }，B 的结论是{ $b }，两者同样不确定。
contrast-trust-one = 以 { $letter } 为准：受限于{ $limit }。{ $other } 的结论是{ $wrong }。
contrast-trust-sender = 以发送端的抓包 { $letter } 为准：受限于{ $limit }。{ $other } 的结论是{ $wrong }。
contrast-lost-nothing = A 与 B 之间没有丢失数据。
contrast-lost = A 与 B 之间丢失了 { $all } 中的 { $lost }（{ $share }）。

# 含有许多连接的两份抓包。
contrast-problem-new = B 出现新问题：{ $problem }。
contrast-problem-worse = B 中有问题变差：{ $problem }。
contrast-problem-gone = B 中有问题消失：{ $problem }。
contrast-problem-better = B 中有问题减轻：{ $problem }。
contrast-problem-counts = 新增或变差的问题：{ $worse } 个。消失或减轻：{ $better } 个。
contrast-service-second = 发往 { $server } 的请求在 B 中的速度是原来的 { $times } 倍（中位数 { $a } → { $b }）。
contrast-service-first = 发往 { $server } 的请求在 B 中的耗时是原来的 { $times } 倍（中位数 { $a } → { $b }）。
contrast-pairs = { $all } 对连接中有 { $n } 对相差超过 10% 或限制不同。
contrast-nothing-shared = A 与 B 无法对比：没有共同的服务器。
contrast-alike = A 与 B 在共同的服务器上表现相近：没有新问题，耗时相差不超过 10%。
