# 最前面的三行：谁、传了多少，原因，改法；其后是问题、服务、请求与响应。
# 每句“原因”连同数字不超过 75 列：`$time` 形如 `8.80 s 中的 6.21 s（71%）`。

answer-across = { $title }，耗时 { $time }。
answer-why = 原因
answer-but = 但是
answer-fix = 改法
# 对错参半以下的原因。
answer-possibly = 可能是：{ $sentence }
# 多个连接中的一个。
answer-number = 第 { $n } 个连接：{ $sentence }
answer-time = { $total } 中的 { $seconds }（{ $share }）

# 谁、传了多少。
answer-transfer = { $from } → { $to }   { $amount }
answer-exchanges = { $from } ⇄ { $to }   { $amount }
answer-amount = { $time } 传输 { $bytes }   { $rate }
answer-amount-no-rate = { $time } 传输 { $bytes }
answer-amount-exchanges = { $count } 个请求，{ $time } 传输 { $bytes }
answer-no-data = { $time } 内没有数据
answer-connections = { $count } 个连接，{ $time } 传输 { $bytes }

# 请求的时间花在谁身上。
answer-client = 客户端空闲 { $time }；服务器 { $server }，网络 { $network }。
answer-server = 服务器用了 { $time } 响应 { $count } 个请求；网络 { $network }。
answer-round-trips = { $count } 次往返用了 { $time }；传输 { $transfer }，服务器 { $server }。
answer-transfers = 收发 { $count } 个请求及其应答用了 { $time }；服务器 { $server }。
answer-client-brief = 客户端空闲 { $time }。
answer-server-brief = 服务器用了 { $time } 响应 { $count } 个请求。
answer-round-trips-brief = { $count } 次往返用了 { $time }。
answer-blocks-sent = 每块 { $block } 都要等一次应答，共 { $time }。
answer-blocks-asked = 每块 { $block } 都要单独请求一次，共 { $time }。
answer-blocks-asked-or-allowed = 每块 { $block } 都要等一次请求或窗口更新，共 { $time }。
answer-transfers-brief = 收发 { $count } 个请求及其应答用了 { $time }。
answer-overlapping = 请求相互重叠，从包里看不出时间花在谁身上。
answer-unasked = 一端自行发送数据，没有人请求。

# 传输受限于什么。
answer-healthy = 没有受到任何限制。
answer-unobserved = { $time } 的受限原因从抓包看不出来。
answer-unobserved-receiver = { $time } 的受限原因从接收端看不出来。
answer-unobserved-kernel = { $time } 的受限原因内核没有报告。
answer-handshake = 握手用了 { $time }。
answer-handshake-syn-rto = SYN 丢失或未被理会，用了 { $time }。
answer-loss-recovery = 丢包重传用了 { $time }。
answer-loss-recovery-fast = 快速重传用了 { $time }。
answer-loss-recovery-rto = 超时重传用了 { $time }。
answer-loss-recovery-tlp = 尾部丢包用了 { $time }。
answer-loss-recovery-lost-acks = 发往发送端的 ACK 丢失，用了 { $time }。
answer-loss-recovery-spurious = 误重传用了 { $time }。
answer-receive-window = 受限于接收窗口，占 { $time }。
answer-receive-window-zero-window = 接收端通告零窗口，占 { $time }。
answer-receive-window-slow-reader = 接收端应用读得太慢，占 { $time }。
answer-receive-window-small-buffer = 接收缓冲区太小，占 { $time }。
answer-receive-window-capped = 接收窗口已到自动调整上限，占 { $time }。
answer-receive-window-no-window-scale = 没有窗口缩放，上限 64 KiB，占 { $time }。
answer-receive-window-ramp = 接收窗口还在增长，占 { $time }。
answer-ack-delay = 等待延迟确认，占 { $time }。
answer-ack-delay-nagle = Nagle 算法推迟了小块写入，占 { $time }。
answer-ack-delay-delayed-ack = 小块写入等待延迟确认，占 { $time }。
answer-ack-delay-cork = TCP_CORK 把小块写入留在套接字里，占 { $time }。
answer-application = 发送端没有数据可发，占 { $time }。
answer-application-think = 发送端响应慢，占 { $time }。
answer-application-think-client = 客户端在请求之间停顿，占 { $time }。
answer-application-think-unasked = 发送端在消息之间停顿，占 { $time }。
answer-application-idle = 发送端应用空闲，占 { $time }。
answer-application-peer-turn = 发送端在等对端，占 { $time }。
answer-application-peer-window = 对端的协议窗口太小，占 { $time }。
answer-application-peer-window-of-client = 客户端的协议窗口只有 { $window }，占 { $time }。
answer-application-peer-window-of-server = 服务器的协议窗口只有 { $window }，占 { $time }。
answer-application-close-wait = 数据发完后连接一直开着，占 { $time }。
answer-application-paced-writes = 发送端按自身节奏慢慢写，占 { $time }。
answer-neutral = 没有受到限制；没有数据可发，占 { $time }。
answer-tail-rtt = 最后一轮在途数据用了 { $time }。
answer-path = 瓶颈路径已跑满，占 { $time }。
answer-path-queue = 瓶颈链路和它的队列都已满，占 { $time }。
answer-path-ack-queue = ACK 在发往发送端的途中排队，占 { $time }。
answer-path-policer = 限速设备（policer）在丢包，占 { $time }。
answer-send-buffer = 发送端的套接字缓冲区太小，占 { $time }。
answer-slow-start = 慢启动用了 { $time }。
answer-congestion-window = 受限于拥塞窗口，占 { $time }。
answer-congestion-window-post-loss = 丢包使拥塞窗口一直偏小，占 { $time }。
answer-congestion-window-post-mark = ECN 标记使拥塞窗口一直偏小，占 { $time }。
answer-congestion-window-delay-exit = 慢启动过早结束，占 { $time }。
answer-congestion-window-paced = 发送端自行 pacing，占 { $time }。
answer-congestion-window-other = 受限于拥塞窗口或发送缓冲区，占 { $time }。

# 同一类原因合计。
answer-all-loss = 丢包共耗去 { $time }。
answer-all-receive-window = 受限于接收窗口，占 { $time }。
answer-all-ack-delay = 小块写入和延迟确认用了 { $time }。
answer-all-path = 瓶颈路径已跑满，占 { $time }。
answer-all-congestion-window = 受限于拥塞窗口，占 { $time }。

# 改什么。
answer-predicted = { $fix }：从 { $now } 降到约 { $then }。
answer-at-best = { $fix }：最好从 { $now } 降到 { $low }。
answer-predicted-brief = { $fix }：约 { $then }，现在 { $now }。
answer-by-path = { $fix }：路径有 { $fast-rate } 时 { $fast }，{ $slow-rate } 时 { $slow }，现在 { $now }。
answer-at-best-brief = { $fix }：最好 { $low }，现在 { $now }。
answer-predicted-found = { $fix }：修复后从 { $now } 降到约 { $then }。
answer-at-best-found = { $fix }：修复后最好从 { $now } 降到 { $low }。
answer-fix-alone = { $fix }。
answer-either = { $fix }，或者{ $rival }
answer-nothing = 无需改动。
answer-not-shown = 从抓包看不出该改什么。
answer-look-at-sender = 传输时在 { $sender } 上运行 tcpwhy live：从这个抓包看不出原因。
answer-look-at-server = 在 { $server } 上也抓一次包：从这个抓包看不出原因。
answer-not-shown-kernel = 从内核对这个套接字的数据看不出该改什么。
answer-peer-side = 查看 { $peer } 上的程序：发送端在等它。
answer-if-intended = 如果这是有意为之，就没有问题。
answer-no-setting = 没有哪项设置能解决。
answer-profile = 查看 { $service } 从收到请求到响应之间在做什么。
answer-scan = 查明 { $client } 由谁使用：这是端口扫描。
answer-show-connection = 查看它受限于什么：{ $command }
answer-show-problem = 查看这些连接做了什么：{ $command }
answer-clock = { $all } 个连接中有 { $count } 个表明抓包时钟不对：时间不可信。

# 一切正常。
problem-none-aside = 没有连接失败，也没有久等；只有第 { $n } 个连接损失了 { $time }。
problem-none = 一切正常：没有连接失败，也没有长时间的等待。
problem-none-largest = 一切正常。最大的是编号 { $n }：{ $sentence }
problem-none-probes = 一切正常。探测：{ $sentence }
problem-none-short = 一切正常；传输都很短：最大 { $bytes }（编号 { $n }）。
problem-none-transfer = 一切正常。最大的是编号 { $n }：{ $time }传输 { $bytes }。

heading-problems = 问题
heading-services = 服务
problem-example = 例：编号 { $n }，从包 { $packet } 起。
problems-more = 还有 { $count } 个问题：--problem { $next } 起可逐个查看。
hint-problem = --problem 1 显示该问题的连接；--connection { $n } 显示其中一条的细节。
no-such-problem = 没有问题 { $n }：这份抓包共有 { $count } 个。
services-more = 还有 { $count } 个服务。

services-wrong-clock = { $count } 个连接的时间不计在内：抓包时钟有误。
column-service = 服务
column-failed = 失败
column-reset = 重置
column-requests = 请求
column-median = 中位数
column-p95 = p95
column-server-time = 服务器
column-network-time = 网络
column-client-time = 客户端

# 一个连接的请求与响应。
heading-exchanges = 请求与响应
exchanges-parts = { $count } 个请求：{ $parts }
exchanges-part-client = 客户端 { $time }
exchanges-part-server = 服务器 { $time }
exchanges-part-network = 网络 { $time }
exchanges-part-round-trips = 往返 { $time }
exchanges-part-transfer = 传输 { $time }
exchanges-limit = { $limit } { $time }
exchanges-limits = 传输受限于：{ $limits }
exchanges-range = RTT 有波动，服务器用时只能确定在 { $low } 到 { $high } 之间。
exchanges-range-client = RTT 有波动，客户端用时只能确定在 { $low } 到 { $high } 之间。
exchanges-spread = 每个请求：中位数 { $median }，p95 { $p95 }，最慢 { $max }
exchanges-spread-server = 其中服务器：中位数 { $median }，p95 { $p95 }，最慢 { $max }
exchanges-slowest = 最慢的请求从包 { $packet } 起：{ $time }，{ $bytes }；服务器 { $server }，传输 { $transfer }
exchanges-slowest-limit = 最慢的请求从包 { $packet } 起：{ $time }，{ $bytes }；服务器 { $server }，传输 { $transfer }，其中 { $limit } { $limited }
exchanges-opening-greeting = 服务器的问候用了 { $time }
exchanges-opening-tls = TLS 握手用了 { $time }
exchanges-overlapping = 同时有多个请求在途，无法区分单个响应。共 { $count } 批，服务器首字节在 { $low } 到 { $high } 内到达。
exchanges-interactive = 交互式会话：有人在键入，没有损失时间。
exchanges-long-poll = 客户端在轮询：服务器有消息时才响应。

# 排除了什么。
answer-excluded-separator = {"；不是"}
answer-excluded = 不是{ $list }。
answer-excluded-window = 接收窗口（还剩 { $free }）
answer-excluded-loss = 丢包（{ $all } 个报文段中重传 { $count } 个）
answer-excluded-path = 路径（{ $path } 中用了 { $rate }）
