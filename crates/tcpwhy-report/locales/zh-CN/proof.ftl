# tcpwhy lab score：原因已知的传输，诊断说对了多少。

score-count = 共评判 { $captures } 份抓包；{ $left-out } 次录制因模拟链路来不及转发或抓包不全未计入；{ $failed } 次失败。
score-failed = 失败 { $name }：{ $why }
score-left-out = 未计入 { $name }：{ $why }
score-run = { $mark } { $name }，{ $at }：施加 { $imposed }，结论 { $verdict }，TV { $tv }；实际：{ $truth } | 诊断：{ $answer }
score-right = 对
score-wrong = 错
score-at-sender = 发送端抓包
score-at-receiver = 接收端抓包
score-at-middle = 路径中间抓包
score-at-near-sender = 离发送端 3 ms 处抓包
score-at-near-receiver = 离接收端 3 ms 处抓包
score-at-begun-late = 发送端抓包，开始得晚
score-at-ended-early = 发送端抓包，结束得早
score-at-clock-steps = 发送端抓包，时钟被调两次
score-at-copies = 发送端抓包，每个包两份
score-row-captures = 抓包数
score-row-dominant = 占时最多的一类判断正确
score-row-verdict = 结论正确（按类别）
score-row-limit = 结论的限制正确
score-row-expected = 结论符合场景预期（精确到限制及其形式）
score-row-headline = 前三行说的是所问的连接和方向
score-row-fix = 前三行的建议能消除原因
score-row-exchanges = 问答正确：谁提问、多少次、服务器用了几秒
score-row-tv-mean = 时间占比的差距（TV），平均
score-row-tv-median = …… 中位数
score-row-tv-p90 = …… 90 % 不超过
score-row-ambiguous = 也可能属于另一种限制的时间
score-row-calibration = 置信度的期望校准误差
score-row-sums = 合计不符
score-heading-groups = 占时最多的一类（{ $at }）
score-heading-limits = 结论（{ $at }）
score-heading-reliability = 置信度与实际正确率
score-heading-reliability-limits = 按结论中的限制统计的置信度
score-heading-imposed = 正确数，按施加的限制及其形式
score-heading-writing = 正确数，按发送程序的写入方式
score-heading-talks = 问答正确数，按对话种类
score-heading-places = 抓包位置：实际与识别
score-heading-reliability-forms = 按结论的限制及其形式统计的置信度
score-heading-reliability-reasons = 按结论依据统计的置信度
score-imposed = 施加
score-writing = 写入方式
score-writing-stream = 套接字收多快就写多快
score-writing-paced = 按自己的速率写
score-writing-portions = 写一批，停一阵
score-writing-resting = 大小和停顿都不定
score-writing-forwarder = 由 poll 等到可写再写（转发程序）
score-writing-credit = 按对端协议允许的量写
score-writing-phases = 分阶段，各不相同
score-writing-turns = 一问一答
score-writing-split-turns = 一问一答，一条消息分几次写
score-writing-ahead = 不等应答先发
score-writing-talk = 按对话写
score-writing-application = 其他程序
score-talk = 对话
score-talk-web-socket = WebSocket
score-talk-long-poll = 长轮询
score-talk-subscription = 订阅
score-talk-calls = HTTP/2 调用
score-talk-chat = 聊天
score-talk-other = 其他
score-talk-cell = { $count } 份中 { $right } 份{ $silent ->
        [0] {""}
       *[other] ；{ $silent } 份未计时
    }
score-seen-sender = 发送端
score-seen-receiver = 接收端
score-seen-middle = 路径中间
score-seen-unknown = 无法识别
score-tally-cell = { $count } 份：限制对 { $limit }，形式对 { $form }{ $astray ->
        [0] {""}
       *[other] ；{ $astray } 份的前三行说的是别的连接
    }{ $judged ->
        [0] {""}
       *[other] ；建议 { $judged } 份对 { $fix }
    }
score-reliability-reason = 依据
score-heading-reliability-numbers = 取决于人为选定数值的结论的置信度
score-reliability-number = 选定的数值改变三分之一
score-number-flipped = 结论改变
score-number-held = 结论不变
score-reliability-said = 置信度
score-reliability-limit = 结论
score-reliability-cell = 置信度 { $said }，{ $count } 次中 { $right } 正确
score-true-said = 实际 ↓ 诊断 →
score-imposed-said = 施加 ↓ 结论 →
score-group-network = 网络
score-group-send-buffer = 发送缓冲区
score-group-receive-window = 接收窗口
score-group-application = 应用
score-limit-none = 无需处理
score-limit-mixed = 多种交替
score-title = tcpwhy 的准确率
score-introduction = 每次传输都在真实内核上经模拟链路进行，并施加一个已知的限制。发送端究竟被什么卡住，由每隔几毫秒读取它自己的套接字状态得出（作为真值）；`tcpwhy explain` 只看抓包，发送端、接收端和路径中间的抓包各判断一次。
score-field = 人工判定的现网抓包见 [accuracy-field.zh-CN.md](accuracy-field.zh-CN.md)。
score-command = 由 `{ $command }`（root 权限）生成，执行它会把所有传输重跑一遍。
score-definitions =
    - *占时最多的一类*：路径、拥塞窗口、丢包重传、慢启动、最后一轮在途数据归为“网络”，应用与 ACK 延迟归为“应用”。实际占比最大的两类相差不到 15 个百分点的传输，这一项不计。
    - *结论正确*：结论与施加的限制属于同一类。
    - *结论的限制正确*：结论所说的限制本身就是场景预期的之一，不论形式。
    - *前三行*：`tcpwhy -q` 的输出。场景写明哪些建议能消除原因时，才评判其中的建议。
    - *期望校准误差*：按置信度每十个百分点一档，结论的置信度与其限制正确的比例之差，按各档结论数加权。
    - *差距（TV）*：四类占比之差的绝对值之和的一半，0 为完全一致，1 为完全不同。
    - *合计不符*：各种限制的秒数加起来不等于总时长的方向数。

# tcpwhy lab prove：按抓包重建当时的情形，分别在修复前后各跑一次。

prove-conclusion = { $conclusion }
prove-proved-as-predicted = 已证实：{ $cause }。只有这样重建的传输与抓包相符；修复后用 { $measured }，原来 { $before }，预测 { $predicted }。
prove-proved-more-than-predicted = 已证实：{ $cause }。只有这样重建的传输与抓包相符；修复的效果比预测更好：{ $measured }，原来 { $before }，预测 { $predicted }。
prove-proved-shorter = 已证实：{ $cause }。只有这样重建的传输与抓包相符；修复后用 { $measured }，原来 { $before }。
prove-refuted-rival-explains = 已推翻：{ $cause }。另一种解释与抓包相符：{ $rival }。
prove-refuted-not-needed = 已推翻：{ $cause }。不需要它，抓包里看得到的丢包、窗口和路径就足以解释。
prove-refuted-no-trace = 已推翻：{ $cause }。抓包里没有{ $trace }。
prove-undecided-both-explain = 未能判定：{ $cause }。另一种解释同样与抓包相符：{ $rival }。
prove-undecided-replayed = 未能判定：{ $cause }。重建的程序照搬了抓包里的时刻，不论原因是什么都会与抓包相符。
prove-undecided-rival-replayed = 未能判定：{ $cause }。竞争解释照搬了抓包里的时刻，怎样运行都排除不了它：{ $rival }。
prove-undecided-only-replayed = 未能判定：{ $cause }。与抓包相符的只有照搬抓包时刻的传输，它推翻不了什么：{ $rival }。
prove-undecided-none-resembles = 未能判定：{ $cause }。重建的传输都与抓包不符。
prove-undecided-fix-without-effect = 未能判定：{ $cause }。重建的传输与抓包相符，但修复没有让它变快。
prove-undecided-less-than-predicted = 未能判定：{ $cause }。修复有效果，但不如预测：{ $measured }，原来 { $before }，预测 { $predicted }。
prove-undecided-no-fix = 未能判定：{ $cause }。重建的传输与抓包相符，但它的修复方法实验环境都做不了。
prove-only-rebuilt = 已重建，未运行。
prove-decides-socket = {"  "}要区分：在发送端主机上运行 `tcpwhy live` 或 `tcpwhy record`，它们能读到套接字的状态。
prove-decides-sockets = {"  "}要判断：在两端主机上运行 `tcpwhy live` 或 `tcpwhy record`，它们能读到套接字的状态。
prove-decides-scenario = {"  "}要判断：用 --scenario 写出场景，改掉不一样的地方，再运行一次。
prove-decides-fix = {"  "}要判断：在真实主机上试一下修复，再抓一次包。
prove-setting-so-rcvbuf = {"  "}SYN 里的窗口缩放因子表明：连接建立之前设置了 SO_RCVBUF。
prove-setting-tcp-rmem = {"  "}SYN 里的窗口缩放因子表明：是 tcp_rmem，或者连接建立之后才设置的 SO_RCVBUF。
prove-setting-either-receive = {"  "}抓包区分不了是 SO_RCVBUF 还是 tcp_rmem。在接收端用 `ss -tm`（rb）和 `tcpwhy audit` 可以确认。
prove-setting-either-send = {"  "}抓包区分不了是 SO_SNDBUF 还是 tcp_wmem。在发送端用 `ss -tm`（tb）和 `tcpwhy audit` 可以确认。
prove-captured = {"  "}抓包   { $seconds }   { $bytes }，要验证：{ $cause }
prove-line = {"  "}{ $line }
prove-shown = 只有抓包里看得到的因素，不加别的
prove-origin = （{ $origin }）
prove-origin-verdict = 结论
prove-origin-supposed = 假设
prove-origin-other-setting = 换成另一种设置
prove-origin-alternative = 竞争解释：抓包也允许它
prove-origin-next-longest = 竞争解释：时间第二长
prove-origin-often-confused = 竞争解释：在抓包里看起来相似
prove-tested-alike = { $cause }{ $origin }：{ $seconds }（{ $error }），与抓包相符（距离 { $distance }）{ $furthest }
prove-tested-other = { $cause }{ $origin }：{ $seconds }（{ $error }），与抓包不符（距离 { $distance }）{ $furthest }
prove-tested-missing = { $cause }{ $origin }：抓包里没有{ $trace }
prove-replays-writes = {"  "}照搬了抓包里写入的时刻，不能作为这个原因的证据
prove-replays-reads = {"  "}照搬了抓包里读取方的停顿，不能作为这个原因的证据
prove-replays-waits = {"  "}照搬了抓包里程序的等待，不能作为这个原因的证据
prove-tested-fixed = {"  "}修复后：{ $seconds }（{ $gain }），之后受限于：{ $verdict }。{ $fix }
prove-furthest = ；差别最大的是{ $what }（{ $distance }）
prove-observable-duration = 总时间
prove-observable-flight = 在途数据
prove-observable-window = 接收窗口
prove-observable-window-full = 窗口用尽的时间
prove-observable-round-trip = 负载下的 RTT
prove-observable-rests = 两次发送的间隔
prove-observable-after-peer = 从 ACK 到下一次发送的时间
prove-observable-on-messages = 紧跟对端消息的发送
prove-observable-retransmitted = 重传
prove-observable-limits = 各种限制所占的时间
prove-trace-repeats = 重传
prove-trace-full-window = 用尽的接收窗口
prove-trace-closed-window = 零窗口
prove-trace-missing-scale = 不带窗口缩放选项的 SYN
prove-trace-bucket = 符合令牌桶的丢包
prove-trace-repeated-syn = 重复的 SYN
prove-trace-peer-messages = 传输期间对端发来的消息
prove-trace-own-sends = 不由 ACK 触发的发送
prove-trace-turns = 一来一回的请求和应答
prove-rebuilt = {"    "}重建为 { $what }
prove-fix = {"  "}修复   { $fix }
prove-predicted = {"  "}预测   { $seconds }   { $low }～{ $high }
prove-predicted-at-best = {"  "}预测   最快 { $low }
prove-at-best = 最快 { $seconds }
prove-shortened-before = {"  "}重建时只传了 { $share } 的数据：全部传完太久。时间按同样速率折算到全部数据。
prove-shortened-after = {"  "}修复后只传了 { $share } 的数据：全部传完太久。时间按同样速率折算到全部数据。
prove-part-queue = 队列 { $value }
prove-part-policer = 限速 { $rate }，突发 { $burst }
prove-part-loss = 丢包率 { $value }
prove-part-write-rate = 写入速率 { $value }
prove-part-read-rate = 读取速率 { $value }
prove-part-read-stalls = 读取方每读 { $bytes } 停 { $seconds }
prove-part-turns = { $count } 轮，每轮等待 { $wait }
prove-part-lost-frames = 丢 { $count } 个包
prove-part-credit = 对端协议放行 { $value }
prove-part-schedule = 按程序当时写入的 { $count } 次突发
prove-assumed-rate = {"  "}假设：路径带宽 1 Gbit/s，与预测的假设一致；抓包里从未接近过路径的速率。
prove-assumed-rate-cut = {"  "}假设：2.5 Gbit/s，实验环境的网卡最快只有这么快；实际路径更快。
prove-assumed-queue = {"  "}假设：瓶颈处的队列与路径的带宽时延积一样大。
prove-assumed-writes = {"  "}假设：应用每次写入的大小；不在发送端抓包就看不出来。
prove-assumed-loss = {"  "}假设：每个包被丢的概率相同。
prove-assumed-stalls = {"  "}假设：读取方每次停顿的时间一样长。
prove-assumed-buffer = {"  "}假设：接收缓冲区由内核自动调整，读取跟得上之后会增大。
prove-assumed-burst = {"  "}假设：限速设备一次可放行一个带宽时延积的数据；它的突发量从抓包里看不出来。
prove-assumed-turns = {"  "}假设：每一轮都一样。
prove-assumed-same-losses = {"  "}假设：丢的就是抓包里丢的那些包。
prove-assumed-own-clock = {"  "}假设：程序按自己的时钟写入，与确认无关。
prove-assumed-bbr = {"  "}假设：发送端使用 BBR；按它的丢包率，CUBIC 发不了这么快。
prove-cannot-nothing = 这次传输没有什么可以改进的限制，无需验证
prove-cannot-no-round-trip = 抓包里测不出往返时延，无法重建路径
prove-cannot-too-close = 两端相距不到 0.1 ms，模拟链路本身就要这么久
prove-cannot-too-long = 其中单次等待的时间就超过一次运行的上限
prove-cannot-unknown = 抓包里看不出 { $what }，而重建需要它
prove-cannot-cause = “{ $what }”不是实验环境能施加的，无法重建
prove-cannot-absent = 抓包里没有{ $what }

# 结果不可信的原因。
proof-doubt-late-link = 机器太忙，模拟链路转发不及时
proof-doubt-capture-drops = 抓包不全
proof-doubt-busy-machine = 机器太忙，来不及采样套接字
prove-doubt = {"  "}不可信：{ $doubt }。
