# 抓包异常、预测上限、结论理由。

anomaly-truncated-file = 文件在第 { $packet } 个包处中断，之前的内容已正常读取。
anomaly-read-error = 读到第 { $packet } 个包时出错，之前的内容已正常读取。
anomaly-shrunk-file = 读取期间文件变短，在第 { $packet } 个包处结束，之前的内容已正常读取。
anomaly-rewritten-file = 读取期间文件被改写（在第 { $packet } 个包处发现），读到的内容可能来自两次抓包。
anomaly-corrupt-record = 有 { $count } 条损坏的记录（首个在第 { $packet } 个包），能读的都已读取。
anomaly-unknown-records = 从第 { $packet } 个包起，记录不符合 pcap 格式：文件已损坏，或是 tcpwhy 不认识的变体。请用写出它的程序另存为 pcapng。
anomaly-excessive-growth = 压缩数据解压后超过自身大小的 1000 倍，读到第 { $packet } 个包时停止，之前的内容已正常读取。要继续读取，请用 --max-unpacked。
anomaly-corrupt-compression = 压缩数据损坏或不完整，之前的内容已正常读取。
anomaly-truncated-header = snaplen 太小：有 { $count } 个包的 TCP 头没有抓全（首个：{ $packet }）。请用 -s { $detail } 重新抓包。
anomaly-malformed-header = 有 { $count } 个包的头部字段自相矛盾（首个：{ $packet }）。
anomaly-malformed-option = 有 { $count } 个包的 TCP 选项格式有误（首个：{ $packet }）。
anomaly-unsupported-link-type = 有 { $count } 个包未解析：不支持链路类型 { $detail }（首个：{ $packet }）。
anomaly-undecoded-frame = 有 { $count } 个帧未解析：内容未知、已加密或嵌套太深（首个：{ $packet }）。
anomaly-missing-timestamp = 有 { $count } 个包没有时间戳（首个：{ $packet }），按前一个包的时间计算。
anomaly-unknown-interface = 有 { $count } 个包引用了文件中没有描述的接口（首个：{ $packet }）。
anomaly-ip-fragment = 有 { $count } 个 IP 分片不带 TCP 头（首个：{ $packet }）。
anomaly-clock-step = 抓包时钟回拨 { $count } 次（首次在第 { $packet } 个包），附近的时间不可信。
anomaly-length-from-frame = 有 { $count } 个包的 IP 长度不对（首个：{ $packet }），是网卡分段卸载所致，长度已按帧长计算。
anomaly-impossible-fraction = 有 { $count } 个包的秒以下部分不小于 1 秒（首个：{ $packet }）：时间可能不对，文件也许以纳秒记录却标为微秒。
anomaly-simulated = 由 tcpwhy 模拟：这份抓包里的包从未真正发送过。

# 预测速率为什么到此为止。
ceiling-slow-start = 数据发完时窗口还没完全打开，慢启动仍然存在。
ceiling-default-send-buffer = Linux 默认最多把发送缓冲区调到 4 MiB。
ceiling-path-rate-seen = 数据曾以这个速率通过，路径至少有这么多带宽。
ceiling-window-unscaled = 不协商窗口缩放，在途数据最多 64 KiB。
ceiling-path-rate-assumed = 路径能跑多快，从没试过，看不出来。
ceiling-all-else-as-it-was = 其余时间保持不变。
ceiling-simulated = 模拟出的传输就是如此。
ceiling-application = 应用的速度不会变。

# 另一个限制时间更长，结论为什么仍是这个。
reason-window-next = 接收窗口也已用满：路径再快，下一个限制就是它。
reason-protocol-window-next = TCP 之上的协议窗口也已用满：路径再快，下一个限制就是它。
reason-window-held-by-queue = 窗口用满只是因为瓶颈处在排队：加大窗口只会让队列更长，速率不会提高。
