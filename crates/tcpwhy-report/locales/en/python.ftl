## What goes wrong in the use of the Python package. Names of arguments stay as they are.

error-python-anonymize = anonymize: True, a passphrase (str or bytes) or None is expected
error-python-interval = interval: 0.01 to 3600 seconds are expected
error-python-table = table: there is no table { $table }
error-python-batches-source = explain_batches() reads a path or bytes, not a file object
error-python-stream-read = the stream was read already
error-python-rows-missing = the analysis ended before its last rows
error-python-mtu = mtu: 68 to 65536 bytes are expected
error-python-needs-rtt = bandwidth and bytes need rtt
error-python-rtt = rtt: more than 0 s is expected
error-python-bandwidth = bandwidth: more than 0 bit/s is expected
error-python-when = when: there is no { $given }
error-python-device = device: there is no { $given }
error-python-kernel = kernel: name one, such as "6.1": this host runs no Linux
error-python-theme = theme: 'auto', 'light' or 'dark' is expected, not { $given }
error-python-chart-source = chart() reads the capture a second time: give explain() a path or bytes, not a file object or an archive
error-python-chart-half = chart(): the connection has no such direction with data
error-python-chart-stretch = stretch: two numbers of seconds are expected, the smaller one first
error-python-chart-changed = chart(): the capture has changed since it was explained
error-python-list = explain() takes a list with merge=True only; explain_many() explains each of several captures
error-python-no-list = explain(merge=True) takes a list of captures
error-python-empty-list = explain(): the list is empty
error-python-on-error = on_error: 'record' or 'raise' is expected, not { $given }
error-python-source = a path, bytes or a binary file object is expected, not { $kind }
error-python-text-file = open the file in binary mode ("rb"), not as { $kind }
error-python-non-blocking = read() returned None: the file object is non-blocking
error-python-read-text = read() returned str: open the file in binary mode ("rb")
error-python-read-other = read() must return bytes, not { $kind }
error-python-index = index { $index } is outside of a sequence of { $count }
error-python-lang = lang: { $known } is expected, not { $given }
error-python-many-source = explain_many() takes a list or another iterable of captures, not { $kind }; explain() explains one capture
error-python-threads = threads: 1 to 1024 is expected
error-python-part-of-merged = give part=: one of the merged captures has no name
error-python-no-name = name the capture: explain(source, name=...), or give part=
error-python-part = part: letters, digits, '-', '_', '.' and '=' are expected
error-python-module = Table.{ $method }() needs { $modules }: pip install 'tcpwhy[{ $extra }]'
error-python-tables = tables: there is no table { $table }, but: { $known }
error-python-table-not-asked = the table { $table } was not asked for
error-python-finite = a finite number is expected
error-python-negative = a size is not negative
error-python-null-byte = embedded null byte
