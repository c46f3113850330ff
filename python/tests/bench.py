"""Measures the module beside the program: best of several interleaved runs.

    bench.py CAPTURE [RUNS]
"""

import os
import subprocess
import sys
import time

import tcpwhy

from conftest import command

capture, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15


def timed(call):
    begin, cpu = time.perf_counter(), sum(os.times()[:2])
    call()
    return time.perf_counter() - begin, sum(os.times()[:2]) - cpu


def run(*arguments):
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def python(code):
    return lambda: run(sys.executable, "-c", code)


report = tcpwhy.explain(capture)
rows = {
    "python -c pass": python("pass"),
    "python -c 'import tcpwhy'": python("import tcpwhy"),
    "program, text": lambda: run(command(), capture),
    "program, text, one thread": lambda: run(command(), "--jobs", "1", capture),
    "program, --json": lambda: run(command(), "--json", capture),
    "explain(path)": lambda: tcpwhy.explain(capture),
    "explain(path, threads=1)": lambda: tcpwhy.explain(capture, threads=1),
    "explain(file)": lambda: tcpwhy.explain(open(capture, "rb")),
    "all tables": lambda: report.tables_with(),
    "all tables, sentences": lambda: report.tables_with(words=True),
    "all tables to Polars": lambda: [table.to_polars() for table in report.tables_with().values()],
    "all tables to pandas": lambda: [table.to_pandas() for table in report.tables_with().values()],
    "to_json()": lambda: report.to_json(),
    "three attributes of all connections": lambda: [(c.source, c.duration, c.bytes) for c in report],
}
best = {}
for turn in range(runs):
    for name, call in rows.items():
        measured = timed(call)
        best[name] = min(best.get(name, measured), measured)
for name, (wall, cpu) in best.items():
    print(f"{wall * 1e3:8.1f} ms wall {cpu * 1e3:8.1f} ms CPU  {name}")
