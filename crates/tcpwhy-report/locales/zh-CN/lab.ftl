# tcpwhy lab：原因已知的传输。

lab-list-hint = tcpwhy lab show 名称：看故事和手工复现方法；tcpwhy lab run 名称：直接运行。

lab-run-took = { $bytes }，耗时 { $time }，{ $rate }
lab-at-sender = 发送端
lab-at-receiver = 接收端
lab-truth = 套接字
lab-said = { $cause }：{ $seconds }，占 { $total } 的 { $share }
lab-said-nothing = 没有值得调整的瓶颈
lab-nothing = 没有值得调整的瓶颈
lab-nothing-captured = 抓包里没有数据
lab-expected = 预期：{ $list }
lab-ended = 结束方式：{ $reported }
lab-ended-otherwise = 结束方式：{ $reported }；预期：{ $expected }
lab-ending-not-reported = 结束方式：{ $expected }，explain 没有报告
lab-ending-closed = 两端关闭
lab-ending-reset-by-sender = 发送端复位
lab-ending-reset-by-receiver = 接收端复位
lab-ending-unanswered = 最后一个请求没有应答
lab-ending-open = 抓包结束时仍未关闭
lab-right-now = 现在答对了，却仍列为已知错误：请删除 known_wrong 中的这一项
lab-first-is-not-largest = 预期的第一个结论（{ $cause }）只占时间的 { $share }；另一种限制占 { $larger }。
lab-answer-is-far-behind = 预期的结论“{ $cause }”占时间的 { $share }，第一个结论占 { $larger }。
lab-or = {" 或 "}
lab-headline-label = 前三行
lab-headline-label-at = 前三行（{ $place }）
lab-headline-in-question = 所问的连接和方向
lab-headline-other-direction = 另一个方向
lab-headline-other-connection = 别的连接
lab-headline-nobody = 没有连接
lab-headline-fix = 建议 { $fix }
lab-headline-no-fix = 无建议
lab-finding-missing = 缺少预期的发现 { $rule }
lab-counter = { $name } { $count }
lab-counter-still = { $name } 没有变化
lab-counter-absent = { $name }：这个内核没有这个计数器
lab-counter-finding = 计数器：{ $sentence }（{ $rule }）
lab-counters-unknown = 没有内核计数器的数据
lab-broken = 连接断了：{ $how }
lab-unreliable = 结果不可靠：{ $why }
lab-heading-ratios = 传同样多数据的耗时之比
lab-ratio-between = 预期 { $least }～{ $most }
lab-ratio-at-least = 预期不小于 { $least }
lab-summary =
    { $right } 个符合预期，{ $wrong } 个不符{ $doubtful ->
        [0] {""}
       *[other] ，{ $doubtful } 个存疑
    }{ $failed ->
        [0] {""}
       *[other] ，{ $failed } 个没跑成
    }{ $ratios ->
        [0] 。
       *[other] ；{ $ratios } 个比值不成立。
    }
lab-summary-headlines =
    { $captures } 份抓包中有 { $right } 份的前三行说的是所问的连接和方向；评判了 { $judged } 份的建议，{ $fixes } 份能消除原因。
lab-recording = 记录：{ $folder }
lab-progress = { $number }/{ $count }：{ $name } …
lab-again = { $name }：{ $why }，重跑（{ $number }/{ $count }）
lab-powers = 场景文件 { $name } 除传输外还会执行或修改：{ $powers }
lab-setting-restored = { $name } 已恢复为 { $value }：之前有一次运行被强行终止，把它留在了 { $was }
lab-setting-left = { $name } 保持 { $value } 不变：某次运行把它从 { $before } 改掉，之后又有人改过
lab-guardian-ended = 守护整机设置的进程被外部终止，设置已由本次运行自行恢复
lab-shell-opened =
    这里是{ $end }，{ $address }；{ $other }是 { $other-address }。用 `{ $command }` 可在那里打开 shell。这个 shell 退出时，链路随之结束。
lab-shell-joined =
    这里是{ $end }，{ $address }；{ $other }是 { $other-address }。打开链路的那个 shell 退出时，链路随之结束。
lab-failed = { $name }：{ $why }
lab-repeats = { $name }：跑了 { $count } 次，{ $least }～{ $most }（相差 { $share }）

lab-compare-faster = { $b } 的速度是 { $a } 的 { $by } 倍。
lab-compare-slower = { $b } 的耗时是 { $a } 的 { $by } 倍。
lab-compare-same = { $a } 和 { $b } 一样快。
lab-compare-unknown = { $a } 和 { $b } 没法比：其中一个没传数据。
lab-compare-unreliable = { $name } 的结果不可靠：{ $why }
lab-none = –
lab-time-with-share = { $time }（{ $share }）
lab-row-time = 耗时
lab-row-bytes = 数据量
lab-row-goodput = 有效吞吐
lab-row-verdict-sender = 发送端抓包的结论
lab-row-verdict-receiver = 接收端抓包的结论
lab-row-rtt = RTT 中位数
lab-row-flight = 在途数据（95%）
lab-row-window = 接收窗口中位数
lab-row-send-buffer = 发送缓冲区最大值
lab-row-receive-buffer = 接收缓冲区最大值
lab-row-retransmits = 重传段数

lab-article-published = 公布
lab-article-scaled = 实测，折算到同样的字节数
lab-article-computed = 计算（模拟器）
lab-article-measured = 实测
lab-article-setting = 设置
lab-article-default = 默认
lab-article-figures = 两次传输，同一坐标轴
lab-article-figure = { $name }：{ $verdict }
lab-article-numbers = 公布值、计算值与实测值
lab-article-again = 自己再测一次
lab-article-kernel = 在 Linux { $kernel } 上测得：两个网络命名空间之间，经过模拟链路。

lab-show-source = 出处
lab-show-imposed = 施加的条件
lab-show-expected = 预期
lab-show-ratio = { $bytes }，耗时至少是 { $to } 的 { $least } 倍
lab-show-ratio-most = { $bytes }，耗时是 { $to } 的 { $least }～{ $most } 倍
lab-show-same-bytes = 传同样多的数据
lab-show-counters = { $end }的内核计数器应当增加：{ $list }（手工查看，须在 namespace 删除之前：{ $command }）
lab-show-reported = 原文数据
lab-show-reported-value = { $bytes } 用了 { $time }
lab-show-by-hand = 手工复现
lab-show-by-hand-intro = 用 root 运行，需要 iproute2（ip、tc）、tcpdump 和 python3。内核没有 netem 时，除了延迟和丢包，其余照常；tcpwhy lab run 自己模拟链路，不依赖 netem。
lab-show-run = 直接运行：{ $command }

lab-book-title = 案例集
lab-book-intro = 每个案例都在 Linux { $kernel } 内核上真实运行过：两个网络命名空间，中间是模拟链路，命令见各自页面。tcpwhy 的结论和预期放在一起对照。
lab-book-column-case = 案例
lab-book-column-title = 现象
lab-book-column-reported = 原文
lab-book-column-measured = 实测
lab-book-column-rate = 有效吞吐
lab-book-column-said = tcpwhy 的结论
lab-book-back = 全部案例
lab-book-command = 运行
lab-book-picture = 图
lab-book-picture-of = { $name }：发送端受到的限制随时间的变化，以及图表：{ $charts }
lab-book-detail = 局部放大：
lab-book-said = tcpwhy 对发送端抓包的结论
lab-book-numbers = 数据
lab-book-at-receiver = 接收端抓包
lab-book-kernel-clocks = 内核自己的计时
lab-book-kernel-clocks-value = 忙 { $busy }，受接收窗口限制 { $rwnd }，受发送缓冲区限制 { $sndbuf }
lab-book-scaled = { $bytes } 折合 { $time }
lab-book-unexpected = 与预期不符，预期是：{ $list }。
lab-book-generated = 本页由 `{ $command }` 根据真实运行结果生成。
