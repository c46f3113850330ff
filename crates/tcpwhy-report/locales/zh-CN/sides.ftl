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
