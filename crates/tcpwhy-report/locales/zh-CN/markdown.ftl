# `tcpwhy FILE --format markdown`：供工单和聊天使用的报告，最多 60 行。
# `$made`、`$more`、`$command` 和标题的 `$name` 显示为代码。

markdown-heading = tcpwhy：{ $name }
markdown-heading-merged = tcpwhy：{ $name } 和另外 { $more } 个抓包
markdown-fix = 改法
markdown-fix-rival = 或者
markdown-fix-at = （{ $place }）：{ $fix }
markdown-code-more = 还有 { $count } 行：{ $command }
markdown-code-others = 另有 { $count } 种语言和服务器的写法：{ $command }
markdown-capture = 抓包
markdown-more = 还有 { $count } 个
markdown-problem = { $server }：{ $what }
markdown-made = 由 { $made } 根据 { $packets } 个包生成。详情：{ $more }
markdown-made-from = 由 { $made } 根据 { $packets } 个包生成，抓包始于 { $start }。详情：{ $more }
markdown-made-of-captures = 由 { $made } 生成。详情：{ $more }

markdown-column-limit = 限制
markdown-column-time = 时间
markdown-column-share = 占比
markdown-column-confidence = 置信度
markdown-column-rank = 序号
markdown-column-problem = 问题
markdown-column-connections = 连接数
markdown-column-lost = 损失时间
markdown-column-example = 例
markdown-column-captures = 抓包数
