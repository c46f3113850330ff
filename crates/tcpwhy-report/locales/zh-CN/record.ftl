# 报文与内核自述的录制：`tcpwhy record`，以及 `explain` 对它的说明。

record-done = 已在 { $time } 内录制 { $packets } 个报文、{ $connections } 个连接的 { $samples } 个样本：{ $file }
record-done-ring = 已在 { $time } 内录制 { $packets } 个报文、{ $connections } 个连接的 { $samples } 个样本；保留：{ $first } 至 { $last }
record-done-output = 已在 { $time } 内录制 { $packets } 个报文、{ $connections } 个连接的 { $samples } 个样本
record-dropped = 内核丢弃了 { $drops } 个报文（{ $share }），因为到达速度超过写入速度：请用 FILTER 或 -i 缩小范围
record-triggered = { $when }：{ $process } { $local } → { $peer }；再录制 { $time }
record-no-right = 捕获 { $interface } 的报文需要 CAP_NET_RAW 权限：请以 root 运行，或用 --no-packets 只录制内核样本
record-no-right-capture = 捕获 { $interface } 的报文需要 CAP_NET_RAW 权限：请以 root 运行，或 `sudo tcpdump -i { $interface } -s 128 -w - tcp | tcpwhy -`
record-no-interface = 没有名为 { $interface } 的网络接口：`ip link` 可列出现有接口，any 表示全部
record-interface-down = 网络接口 { $interface } 未启用
record-no-ring = 无法捕获 { $interface } 的报文：{ $error }
