## What goes wrong in the use of the Python package. Names of arguments stay as they are.

error-python-anonymize = anonymize：应为 True、口令（str 或 bytes）或 None
error-python-interval = interval：应为 0.01 到 3600 秒
error-python-table = table：没有名为 { $table } 的表
error-python-batches-source = explain_batches() 读取路径或 bytes，不读取文件对象
error-python-stream-read = 这个流已经读过了
error-python-rows-missing = 分析在给出最后几行之前就结束了
error-python-mtu = mtu：应为 68 到 65536 字节
error-python-needs-rtt = bandwidth 和 bytes 需要同时给出 rtt
error-python-rtt = rtt：应大于 0 秒
error-python-bandwidth = bandwidth：应大于 0 bit/s
error-python-when = when：没有 { $given } 这个取值
error-python-device = device：没有 { $given } 这个取值
error-python-kernel = kernel：本机不是 Linux，请给出内核版本，例如 "6.1"
error-python-theme = theme：应为 'auto'、'light' 或 'dark'，而不是 { $given }
error-python-chart-source = chart() 会再读一遍抓包：请给 explain() 路径或 bytes，而不是文件对象或压缩包
error-python-chart-half = chart()：这条连接没有这样一个有数据的方向
error-python-chart-stretch = stretch：应为两个秒数，小的在前
error-python-chart-changed = chart()：抓包在分析之后变了
error-python-list = explain() 只在 merge=True 时接受列表；explain_many() 逐个分析多个抓包
error-python-no-list = explain(merge=True) 需要抓包的列表
error-python-empty-list = explain()：列表是空的
error-python-on-error = on_error：应为 'record' 或 'raise'，而不是 { $given }
error-python-source = 应为路径、bytes 或二进制文件对象，而不是 { $kind }
error-python-text-file = 请用二进制模式（"rb"）打开文件，而不是 { $kind }
error-python-non-blocking = read() 返回了 None：文件对象是非阻塞的
error-python-read-text = read() 返回了 str：请用二进制模式（"rb"）打开文件
error-python-read-other = read() 必须返回 bytes，而不是 { $kind }
error-python-index = 下标 { $index } 超出范围：共有 { $count } 项
error-python-lang = lang：应为 { $known }，而不是 { $given }
error-python-many-source = explain_many() 接受抓包的列表或其他可迭代对象，而不是 { $kind }；explain() 分析单个抓包
error-python-threads = threads：应为 1 到 1024
error-python-part-of-merged = 请给出 part=：合并的抓包里有一个没有名字
error-python-no-name = 请给抓包起名：explain(source, name=...)，或给出 part=
error-python-part = part：应由字母、数字、'-'、'_'、'.' 和 '=' 组成
error-python-module = Table.{ $method }() 需要 { $modules }：pip install 'tcpwhy[{ $extra }]'
error-python-tables = tables：没有名为 { $table } 的表，只有：{ $known }
error-python-table-not-asked = 调用时没有要表 { $table }
error-python-finite = 应为有限的数
error-python-negative = 大小不能为负
error-python-null-byte = 路径里有空字节
