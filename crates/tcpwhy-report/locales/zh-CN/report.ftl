# 报告框架：单位、标题、表格、备注。

unit-bytes = { $n } 字节
unit-nanoseconds = { $n } ns
unit-microseconds = { $n } µs
unit-milliseconds = { $n } ms
unit-seconds = { $n } 秒
unit-minutes-seconds = { $large } 分 { $small } 秒
unit-hours-minutes = { $large } 小时 { $small } 分
unit-days-hours = { $large } 天 { $small } 小时
unit-part-of = { $part }/{ $all }
unit-count = { $n }
unknown = 未知
yes = 是
no = 否

list-separator = {"，"}
fact-separator = {"；"}
sentence-separator = {""}
sentence = { $text }。
cause-details = { $limit }（{ $details }）
verdict-alternative = 也可能是{ $other }；要区分，需要{ $decider }。
verdict-related = 连同{ $others }：{ $seconds }（{ $share }）。
direction = { $from } → { $to }

basis-kernel-reported = 内核
basis-wire-exact = 精确
basis-wire-inferred = 推断
basis-assumed = 假设

severity-info = 提示
severity-warning = 警告
severity-critical = 严重

place-sending-application = 发送端应用
place-receiving-application = 接收端应用
place-sending-host = 发送端主机
place-receiving-host = 接收端主机
place-network = 网络
place-capture = 抓包

# 开头三行。
head-transfer = { $from } → { $to }：传输 { $bytes }，用时 { $time }，{ $rate }
head-transfer-no-rate = { $from } → { $to }：传输 { $bytes }，用时 { $time }
end-client = { $end }（客户端）
end-server = { $end }（服务器）
head-fix = { $fix }（{ $place }）。
head-healthy = 不需要调整。
head-no-fix = 没有哪个参数能消除这个限制。
head-no-connections = 没有找到 TCP 连接。
head-all-excluded = 共 { $count } 个连接，没有一个符合筛选条件。
head-none-in-range = --from 与 --to 之间没有所查的连接；抓包里共有 { $count } 个连接。
no-such-connection =
    没有 { $n } 号连接：{ $count ->
        [0] 没有找到任何连接
        [1] 总共只有 0 号这一个
       *[other] 共 { $count } 个，编号 0 到 { $last }
    }
progress-stream = { $name }：{ $bytes }，目前 { $connections } 个连接；按 Ctrl-C 结束读取并输出报告
progress-captures = 已读取抓包：{ $captures } { $name }
range-empty = --from { $from } 不早于 --to { $to }
range-impossible = --from 或 --to 超出了抓包可能包含的时间范围
standard-input = 标准输入
wrote = 已写入 { $path }（{ $size }）
wrote-files = 已将 { $count } 个文件写入 { $path }（{ $size }）
svg-of-another-capture = { $path } 不是这份抓包的图，没有写入任何文件；加 --overwrite 会替换它，换个目录则两者都保留
svg-time-outside = --svg-time { $from } 秒到 { $to } 秒不在任何连接之内：最长的连接用时 { $longest }
svg-time-outside-one = --svg-time { $from } 秒到 { $to } 秒不在这个连接之内，它用时 { $longest }
svg-time-outside-some = --svg-time { $from } 秒到 { $to } 秒不在其中 { $count } 个连接之内，这些连接没有图

heading-limits = 时间都花在哪了
heading-limits-kernel = 时间都花在哪了（内核与抓包合并）
heading-findings = 诊断
heading-doubts = 无法区分的部分
heading-connection = 整个连接
heading-capture = 抓包文件
heading-timeline = 时间线（从开始算起的秒数、时刻）

bars-rest = 其余

fact-rtt = RTT { $median }（最小 { $low }，p95 { $high }；{ $basis }）
fact-flight = 在途数据 { $median }，最多 { $max }
fact-flight-at-most = 在途数据最多 { $max }
fact-window = 接收窗口 { $median }（{ $low }～{ $max }）
fact-window-unknown = 窗口缩放因子未知
fact-no-scaling = 未启用窗口缩放
fact-mss = MSS { $value }
fact-vantage-sender = 在发送端抓包
fact-vantage-receiver = 在接收端抓包
fact-vantage-middle = 在中间节点抓包
fact-vantage-unknown = 抓包位置未知
fact-no-syn = 没有抓到 SYN

doubt = { $seconds }（{ $share }）：{ $a }或{ $b }；要区分，需要{ $decider }。

finding-title = { $title }（{ $rule }，置信度 { $confidence }）
fix-above = { $fix }（同上）
fix-number = 改法 { $number }/{ $count }
fix-number-rival = 或改法 { $number }/{ $count }
fix-other-code = （另有 { $names } 的写法：--code { $first } | all）
fix-place = [{ $place }]
fix-rival-why = 该用这个改法还是前一个，数据包看不出来；改其中一个就够。
prediction-label = 改后：
prediction-together-label = 全部改后：
prediction-gain = 预计 { $then }（{ $low }～{ $high }），现在是 { $now }。下一个瓶颈：{ $next }。{ $why }
prediction-at-best = 最多快 { $times } 倍：至少要 { $low }，现在是 { $now }。下一个瓶颈：{ $next }。{ $why }
prediction-by-path = 路径有 { $fast-rate } 时 { $fast }，{ $slow-rate } 时 { $slow }，现在是 { $now }。下一个瓶颈：{ $next }。{ $why }
prediction-little = 与现在相差不大（{ $low }～{ $high }，现在是 { $now }）。下一个瓶颈：{ $next }。{ $why }

timeline-coarsened = 短区间太多，这里有些已并入相邻区间；合计时间不受影响。

table-heading = 可省时间最多的 { $shown } 个连接（共 { $count } 个）
table-heading-all = 按可省时间从多到少排列
table-heading-bytes = 按数据量从多到少排列
table-heading-time = 按时长从长到短排列
table-heading-retransmissions = 按重传量从多到少排列
column-retransmitted = 重传
column-connections = 连接数
column-longest = 最长
column-most-lost = 最多可省
column-group = 分组
groups-by-host = 按服务器分组，共 { $count } 组
groups-by-port = 按服务器端口分组，共 { $count } 组
groups-by-cause = 按瓶颈分组
groups-more = 另有 { $count } 组，用 --top N 列出。
# Below the ten connections that a notebook shows.
notebook-more = 另有 { $count } 个连接
spent = 这 { $total } 花在：{ $parts }。
spent-part = { $limit } { $share }
spent-wrong-clock = 另有 { $count } 个连接（{ $total }）因抓包时钟有误，不计在内。
spent-waiting = 另有 { $count } 个连接（{ $total }）大部分时间空闲或在交互等待，不计在内。
table-nothing = 无
column-number = #
column-start = 开始
column-ends = 发送 → 接收
column-bytes = 数据量
column-time = 时长
column-rate = 速率
column-lost = 可省
column-share = 占比
saving-upper-bound = ≤：最多可省这么多；改动后的实际效果没有预测。
column-limit = 瓶颈
hint-connection = --connection { $n } 查看该连接详情；--top N 列出更多；--filter、--limit、--severity 用于筛选。

heading-across-connections = 多个连接合起来看
across-finding = { $title }：{ $sentence }
across-more = 另有 { $count } 对客户端和服务器也是这样。
empty-connections = { $count } 个连接没有传输数据。

fact-times = { $from } 到 { $to }
heading-limits-between = { $from } 到 { $to } 时间都花在哪了（从开始算起 { $start } 到 { $end }）
capture-line-from = { $path }：{ $format}，{ $packets } 个包（TCP { $segments } 个），链路上共 { $bytes }，{ $time }，始于 { $start }
capture-line = { $path }：{ $format}，{ $packets } 个包（TCP { $segments } 个），链路上共 { $bytes }，{ $time }
capture-warning = tcpwhy: { $path }：{ $text }
anonymize-key-visible = 程序运行期间，本机所有用户都能看到命令行上的密钥；请写入文件：--anonymize-key-file 文件
anonymize-key-readable = 其他用户也能读取 { $path }：拿到密钥的人可以还原被替换的地址

rules-hint = tcpwhy rules ID 查看某条规则的说明。
rule-heading = { $title }（{ $rule }）
rule-limits = 对应的限制：{ $limits }

## tcpwhy serve

serve-reachable = 其他主机可以访问 { $address }。得到下面地址的人都能看到这些抓包；传输未加密，能看到流量的人也一样。

## tcpwhy compare

compare-head-ends =
    { $count ->
        [1] 同一个连接，在两处抓包。
       *[other] 同样的 { $count } 个连接，在两处抓包。
    }
compare-head-ends-bare = 同样的 { $bare } 个没有数据的连接，在两处抓取。
compare-bare = 另有 { $bare } 个连接在其中一份抓包里没有数据。
compare-head-captures = { $count } 对连接，主机相同、端口相同。
compare-head-connections = 两个连接。
compare-only = 没有对应的连接：A 有 { $a } 个，B 有 { $b } 个。
compare-more = 另有 { $count } 对，用 --top N 列出。
compare-alike = { $count } 对相差不大：限制相同，时长相差不超过 10%。
compare-full = { $name } 的数据包太多，无法全部对照：丢失与时延只涉及其开头部分
compare-one-place = 两份抓包无法相互对照：两个方向上能对上的包太少，或者两份是在同一处抓的。
compare-both = 两份抓包合起来看
compare-way = { $from } → { $to }（从 { $near } 到 { $far }）：{ $text }。
compare-lost = { $sent } 中有 { $lost }（{ $share }）在两处之间丢失
compare-lost-nothing = { $sent } 在两处之间没有丢失
compare-lost-unknown = 到达 { $arrived }，但发出时只抓到 { $sent }，所以有一份抓包漏了包
compare-delay = 单向时延比最小值高：中位数 { $median }，p95 { $p95 }，最多 { $max }（{ $at }；{ $samples } 个包）
compare-clock-ahead = 往返至少 { $round_trip }。如果两个方向的最小时延相同，B 的时钟比 A 快 { $offset }；时延的变化与此无关。
compare-clock-behind = 往返至少 { $round_trip }。如果两个方向的最小时延相同，B 的时钟比 A 慢 { $offset }；时延的变化与此无关。
compare-row-bytes = 数据量
compare-row-time = 时长
compare-row-rate = 速率
compare-row-retransmitted = 重传
compare-row-rtt = RTT 中位数
compare-row-flight = 在途数据中位数
compare-row-window = 接收窗口中位数
compare-row-limit = 瓶颈
compare-said = { $letter }：{ $sentence }
compare-said-sender = { $letter }（发送端）：{ $sentence }
compare-said-receiver = { $letter }（接收端）：{ $sentence }
compare-trust = 受什么限制以 { $letter } 为准：置信度 { $high }，{ $other } 为 { $low }。

# Handshakes as both captures show them. `$facts` is a list of those below, `$packets` is SYN, SYN-ACK or
# both.
compare-syn = { $end } 的 SYN：{ $facts }。
compare-syn-ack = { $end } 的 SYN-ACK：{ $facts }。
compare-syn-unchanged = SYN 和 SYN-ACK 的选项没有被改动。跳数限制：SYN 在 A 处 { $syn_a }、在 B 处 { $syn_b }，SYN-ACK 在 A 处 { $answer_a }、在 B 处 { $answer_b }。
compare-fact-mss = MSS { $value }
compare-fact-window-scale = 窗口缩放 { $value }
compare-fact-sack = 允许 SACK
compare-fact-timestamps = 时间戳
compare-fact-hop-limit = 跳数限制 { $value }
compare-fact-count = 发送 { $value } 次
compare-fact-differs = { $fact }（A 处），{ $value }（B 处）
compare-fact-only = { $fact }（{ $with } 处有，{ $without } 处没有）
compare-clamped-one-way = A 与 B 之间的设备调低了发往 { $limited } 的报文段的 MSS，发往 { $unlimited } 的却没有调低。两个方向都要调低 MSS。
compare-changed-mss = A 与 B 之间的设备改动了 { $packets } 里的 MSS。
compare-changed-window-scale = A 与 B 之间的设备改动了 { $packets } 里的窗口缩放：两端对窗口大小的理解不一致。
compare-changed-sack = A 与 B 之间的设备改动了 { $packets } 里的 SACK 选项：丢包修复会变慢。
compare-changed-timestamps = A 与 B 之间的设备改动了 { $packets } 里的时间戳选项。

# Data that only one of the captures has. `$near` has it, `$far` lacks it.
compare-unseen-size = 从 { $at } 起，{ $from } 发出的满长报文段（{ $smallest } 字节及以上）在 { $near } 与 { $far } 之间消失；不超过 { $passed } 字节的能通过。
compare-unseen = { $from } 从 { $at } 起发出的 { $bytes } 在 { $far } 处始终没有出现（{ $segments } 个报文段，含重传）。
compare-unseen-uncovered = { $far } 此后没有任何包：那里的抓包可能已经结束。

# Connections of which a capture has no data: what became of them. `$near` has what `$far` lacks.
compare-heading-attempts = 在 A 或 B 处没有数据的连接
compare-attempts = { $server }，{ $count } 个连接
compare-more-attempts = 另有 { $count } 组，用 --json 列出。
compare-fate-syn-lost = { $client } 的 { $syns } 个 SYN 经过了 { $near }，始终没有到 { $far }。检查从 { $client } 到 { $server } 的过滤规则和路由。
compare-fate-syn-ack-lost = SYN 到了，{ $syn_acks } 个 SYN-ACK 经过了 { $near }，却始终没有到 { $far }。检查从 { $server } 到 { $client } 的过滤规则和路由。
compare-fate-ack-lost = SYN-ACK 到了，{ $client } 的 ACK 经过了 { $near }，却始终没有到 { $far }。检查从 { $client } 到 { $server } 的过滤规则和路由。
compare-fate-data-lost = 握手在两处都能看到。
compare-fate-unanswered = { $client } 的 SYN 在两处都能看到，但两处都没有任何应答。检查 { $server } 的防火墙和监听。
compare-fate-refused = { $client } 的 SYN 在两处都能看到，得到的应答是 RST。检查 { $server } 上的监听。
compare-fate-unacknowledged = SYN-ACK 在两处都能看到，{ $client } 却一次也没有确认。检查 { $client } 的防火墙。

# 多份抓包。

tables-left-out = 已跳过 { $count } 份已有数据行的抓包
tables-doubled = { $count } 份抓包在 { $path } 的其他文件中也有数据行，查询会重复计算：请使用相同的 --part，或用 --resume
tables-capture-changed = { $name } 已跳过，但它在写入数据行之后发生了变化：当时 { $before } 字节，现在 { $now } 字节
gate-share = --fail-on { $gate }：{ $place } 受“{ $limit }”限制的时间为 { $time }，共 { $total }（{ $share }）{ $more ->
        [0] {""}
       *[other] ；另有 { $more } 个连接达到该门限
    }
gate-verdict = --fail-on { $gate }：{ $place } 的结论是“{ $limit }”，占 { $time }，共 { $total }（{ $share }）{ $more ->
        [0] {""}
       *[other] ；另有 { $more } 个连接的结论相同
    }
gate-finding = --fail-on { $gate }：{ $title }（{ $rule }，{ $severity }）{ $more ->
        [0] {""}
       *[other] ；另有 { $more } 项诊断达到该门限
    }
gate-not-read = --fail-on { $gate } 无法检查：没有读到 { $parts }
gate-needs-path = --fail-on { $gate } 检查的是路径：请给出 --path RATE,RTT
gate-nothing-measured = --fail-on 什么也没有检查：所选连接中没有一个方向既有数据、又能看出限制
gate-capture-not-measured = --fail-on 在 { $name }{ $more ->
        [0] {""}
       *[other] 和另外 { $more } 份抓包
    } 中什么也没有检查：没有既有数据、又能看出限制的连接
captures-failed = { $count } 份抓包中有 { $failed } 份无法读取
no-captures = 没有找到抓包；跳过了 { $count } 个文件
no-captures-but-folders = 没有找到抓包；跳过了 { $count } 个文件。-r 还会读取 { $folders } 个文件夹中的文件
collection-captures = { $count } 份抓包
collection-failed = 其中 { $count } 份无法读取。
collection-passed-over = 跳过了 { $count } 个文件：不是抓包、隐藏文件或链接。
collection-folders = 跳过了 { $count } 个文件夹；-r 会读取其中的文件。
collection-heading-time = 各限制所占的连接时间
collection-heading-problems = 按最严重的问题统计抓包
collection-column-limit = 限制
collection-column-time = 时间
collection-column-share = 占比
collection-column-problem = 问题
collection-column-captures = 抓包
