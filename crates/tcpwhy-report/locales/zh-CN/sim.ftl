# tcpwhy sim：模拟的传输。

sim-took = { $bytes } 用了 { $time }，{ $rate }（模拟，Linux { $kernel }）
sim-settings = 已设置：{ $list }
sim-range =
    范围：{ $low } 到 { $high }，中位数 { $median }（换用其他丢包和主机运行 { $runs } 次，模拟器自身误差 5%；下面是第一次）{ $stalled ->
        [0] {""}
       *[other] ；{ $stalled } 次没有结束
    }
sim-heading-held = 发送端受什么限制
sim-sender = 发送端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-receiver = 接收端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-buffers = 结束时的缓冲区：发送端的发送缓冲区 { $send }，接收端的接收缓冲区 { $receive }
sim-there = 去往接收端的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个
sim-back = 返回的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个

sim-compare-head = { $name }：内核 { $kernel }，模拟 { $simulated }（{ $difference }）
sim-compare-kernels = { $bytes }；Linux { $kernel }，模拟器按 { $rules } 的规则
sim-compare-range = 换用其他丢包和主机模拟 { $runs } 次：{ $low } 到 { $high }
sim-compare-doubt = 内核这次运行不可信：{ $why }
sim-compare-kernel = 内核
sim-compare-simulated = 模拟
sim-compare-difference = 差
sim-compare-time = 用时
sim-compare-network = 网络
sim-compare-points = { $points } 个百分点
sim-compare-retransmitted = 重传
sim-compare-timeouts = 超时
sim-compare-dropped = 队列或限速设备（policer）丢弃
sim-compare-frames-there = 发往接收端的帧
sim-compare-frames-back = 返回的帧
sim-compare-explained = explain 对两个抓包的诊断
sim-compare-apart = 两个抓包最先在哪里不同
sim-compare-same-order = 顺序：没有不同，两边以相同的顺序发出相同的包。
sim-compare-order = 顺序：第 { $number } 个数据包。内核发出 { $kernel }，模拟器发出 { $simulated }。
sim-compare-packet = { $bytes }（从第 { $offset } 字节起，在 { $time } 时）
sim-compare-no-packet = 不再发包
sim-compare-same-times = 时间：没有不同，每个字节发出的时刻与内核相差不超过 { $within }。
sim-compare-times = 时间：第 { $offset } 字节在内核上于 { $kernel } 发出，在模拟器里于 { $simulated } 发出；此前所有字节的发出时刻相差不超过 { $within }。

sim-score-times = { $simulated }，内核 { $kernel }
sim-score-range = ，范围 { $low } 到 { $high }
sim-score-noise = （内核自身的重复误差 { $share }）
sim-score-as-it-was = 原样：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内，中位数 { $median }
sim-score-cause = 去掉 { $cause }：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内，中位数 { $median }
sim-score-repeatable = 内核自身重复误差在 5% 以内的：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），中位数 { $median }
sim-score-counts = 重传、丢弃和超时次数与内核相近：{ $all } 个中 { $near } 个
sim-score-drawn = 随机丢包：{ $transfers } 个中 { $in-range } 个落在各随机种子的范围内（{ $share }）；中位数误差在 10% 以内的有 { $within } 个
sim-score-all = 全部：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内（{ $near-share }），中位数 { $median }
sim-score-ranges = ；{ $ranges } 个范围中 { $hold } 个包含真值，宽度 ×{ $width }
sim-score-distance = ；原因占比相差 { $distance }（中位数）
sim-score-refused = ；{ $count } 个未模拟
