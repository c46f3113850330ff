# tcpwhy lab score：原因已知的传输，诊断说对了多少。

score-count = 共评判 { $captures } 份抓包；{ $left-out } 次录制因模拟链路来不及转发或抓包不全未计入；{ $failed } 次失败。
score-failed = 失败 { $name }：{ $why }
score-left-out = 未计入 { $name }：{ $why }
score-run = { $mark } { $name }，{ $at }：施加 { $imposed }，结论 { $verdict }，TV { $tv }；实际：{ $truth } | 诊断：{ $answer }
score-right = 对
score-wrong = 错
score-at-sender = 发送端抓包
score-at-receiver = 接收端抓包
score-row-captures = 抓包数
score-row-dominant = 占时最多的一类判断正确
score-row-verdict = 结论正确（按类别）
score-row-expected = 结论符合场景预期（精确到限制及其形式）
score-row-tv-mean = 时间占比的差距（TV），平均
score-row-tv-median = …… 中位数
score-row-tv-p90 = …… 90 % 不超过
score-row-ambiguous = 也可能属于另一种限制的时间
score-row-sums = 合计不符
score-heading-groups = 占时最多的一类（{ $at }）
score-heading-limits = 结论（{ $at }）
score-true-said = 实际 ↓ 诊断 →
score-imposed-said = 施加 ↓ 结论 →
score-group-network = 网络
score-group-send-buffer = 发送缓冲区
score-group-receive-window = 接收窗口
score-group-application = 应用
score-limit-none = 无需处理
score-limit-mixed = 多种交替
score-title = tcpwhy 的准确率
score-introduction = 每次传输都在真实内核上经模拟链路进行，并施加一个已知的限制。发送端究竟被什么卡住，由每隔几毫秒读取它自己的套接字状态得出（作为真值）；`tcpwhy explain` 只看报文，发送端和接收端的抓包各判断一次。
score-command = 由 `{ $command }`（root 权限）生成，执行它会把所有传输重跑一遍。
score-definitions =
    - *占时最多的一类*：链路、拥塞窗口、丢包恢复、慢启动、最后一个往返归为“网络”，应用与 ACK 延迟归为“应用”。实际占比最大的两类相差不到 15 个百分点的传输，这一项不计。
    - *结论正确*：结论与施加的限制属于同一类。
    - *差距（TV）*：四类占比之差的绝对值之和的一半，0 为完全一致，1 为完全不同。
    - *合计不符*：各种限制的秒数加起来不等于总时长的方向数。
