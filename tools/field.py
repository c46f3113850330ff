#!/usr/bin/env python3
"""How often tcpwhy is right about captures from the field, judged by hand.

    tools/field.py LABELS.csv...                 prints the tables
    tools/field.py --markdown docs LABELS.csv... writes accuracy-field.md and accuracy-field.zh-CN.md there

A label file has the columns `file` (beside it), `sender` (address; empty: the direction with the most bytes), `causes` (limits that
are right, `limit` or `limit/detail`, separated by `|`) and `also` (limits that are acceptable), and perhaps `set` (a name for the
rows that are counted together, in English and Chinese: `judged by hand;人工判定`). TCPWHY names the program, else target/release/tcpwhy is run.
"""

import csv
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = [0, 50, 60, 70, 80, 90, 101]
WORDS = {
    "en": {
        "title": "How often tcpwhy is right in the field",
        "other": "[中文](accuracy-field.zh-CN.md)",
        "intro": "Captures that nobody made for tcpwhy (measurement servers, teaching traces, devices, captures of providers), whose "
        "main cause people named from the packets before they read the answer; and transfers that a study sent through real "
        "policers and shapers. The captures belong to others and are not part of this repository. Transfers on a real kernel, whose "
        "truth is sampled from the socket, stand beside this in [accuracy](accuracy.md).",
        "command": "Made by `tools/field.py --markdown docs LABELS.csv…`, which reads any captures with labels.",
        "sets": ["captures", "judged", "right", "right or acceptable", "confidently wrong"],
        "confidence": "Confidence and how often it was right",
        "steps": ["confidence", "judged", "mean", "right or acceptable"],
        "notes": [
            "*Right*: the limit of the verdict is one of those named. Where the label names a form (`path/policer`), the form counts too.",
            "*Acceptable*: the packets allow this limit too; behind a shaper, the losses of its queue.",
            "*Confidently wrong*: neither, with a confidence of 70 % or more.",
            "These captures were at hand while tcpwhy was made, so its rules were checked against them: of captures that it never saw, expect less.",
            "Labels by hand are opinions of experts, not measurements, and the captures are few: one more or less moves a share by points.",
        ],
        "said": "Verdicts that were neither right nor acceptable",
        "wrong": ["answer", "named", "times"],
        "nothing": "nothing",
    },
    "zh-CN": {
        "title": "tcpwhy 在现网抓包上说对了多少",
        "other": "[English](accuracy-field.md)",
        "intro": "这些抓包都不是为 tcpwhy 制作的（测速服务器、教学抓包、各种设备、运营商的抓包），主要原因由人在看答案之前根据报文判定；"
        "另有一项研究经真实限速设备和整形器进行的传输。抓包属于他人，不在本仓库中。在真实内核上进行、由套接字采样得到真值的传输，见"
        "[准确率](accuracy.zh-CN.md)。",
        "command": "由 `tools/field.py --markdown docs LABELS.csv…` 生成，它可以读取任何带标签的抓包。",
        "sets": ["抓包", "已评判", "正确", "正确或可接受", "高置信度的错误"],
        "confidence": "置信度与实际正确率",
        "steps": ["置信度", "已评判", "平均", "正确或可接受"],
        "notes": [
            "*正确*：结论的限制属于标签所列。标签写明形态时（`path/policer`），形态也要一致。",
            "*可接受*：报文同样允许这种限制；在整形器之后，则是其队列造成的丢包。",
            "*高置信度的错误*：两者都不是，而置信度在 70 % 以上。",
            "开发 tcpwhy 时手头就有这些抓包，规则与它们核对过：对从未见过的抓包，应预期低一些。",
            "人工标签是专家的判断，不是测量；抓包数量也不多，多一个少一个就会使占比变动几个百分点。",
        ],
        "said": "既不正确也不可接受的结论",
        "wrong": ["结论", "标签", "次数"],
        "nothing": "无",
    },
}


def main_direction(document, sender):
    """The direction that a label speaks of."""
    best = None
    for connection in document["connections"]:
        for half in connection["halves"]:
            address = connection["endpoints"][half["sender"]]["address"]
            if (not sender or address == sender) and (best is None or half["bytes"] > best["bytes"]):
                best = half
    return best


def covers(labels, verdict):
    said = (verdict["limit"], verdict["detail"])
    for label in filter(None, labels.split("|")):
        limit, _, detail = label.partition("/")
        if said[0] == limit and (not detail or said[1] == detail):
            return True
    return False


def judge(program, path):
    """A row for each label: (set, right, acceptable, confidence, said, named)."""
    with path.open(newline="") as file:
        for label in csv.DictReader(file):
            command = [program, "--json", "--quiet", "--words", "none", str(path.parent / label["file"])]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            half = main_direction(json.loads(run.stdout), label["sender"]) if run.returncode == 0 else None
            if half is None:
                # A program that fails is wrong.
                print(f"{label['file']}: nothing to judge", file=sys.stderr)
                yield label.get("set") or path.stem, False, False, 0, "", label["causes"]
                continue
            verdict = half["verdict"]
            right = covers(label["causes"], verdict)
            acceptable = right or covers(label.get("also") or "", verdict)
            said = "/".join(filter(None, [verdict["limit"], verdict["detail"]]))
            yield label.get("set") or path.stem, right, acceptable, verdict["confidence"] or 0, said, label["causes"]


def share(part, of):
    return f"{part}/{of} ({100 * part / of:.0f} %)" if of else "·"


def table(head, rows):
    align = "|".join(["---"] + ["---:"] * (len(head) - 1))
    lines = [f"| {' | '.join(head)} |", f"|{align}|"]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows])


def page(rows, words):
    sets, steps, wrong = defaultdict(list), [], defaultdict(int)
    for row in rows:
        sets[row[0]].append(row)
        if not row[2]:
            wrong[row[4] or words["nothing"], row[5].replace("|", ", ")] += 1
    by_set = []
    for name, of in sets.items():
        names = name.split(";")
        name = names[-1] if words is WORDS["zh-CN"] else names[0]
        count = len(of)
        confident = sum(not r[2] and r[3] >= 0.7 for r in of)
        by_set.append([name, count, share(sum(r[1] for r in of), count), share(sum(r[2] for r in of), count), share(confident, count)])
    for low, high in zip(STEPS, STEPS[1:]):
        of = [r for r in rows if low <= 100 * r[3] < high]
        if of:
            mean = f"{100 * sum(r[3] for r in of) / len(of):.0f} %"
            steps.append([f"{low} – {min(high, 100)} %", len(of), mean, share(sum(r[2] for r in of), len(of))])
    parts = [f"# {words['title']}", words["other"], words["intro"], words["command"], table(words["sets"], by_set)]
    parts.append("\n".join(f"- {note}" for note in words["notes"]))
    parts += [f"## {words['confidence']}", table(words["steps"], steps)]
    if wrong:
        most = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))
        parts += [f"## {words['said']}", table(words["wrong"], [[f"`{said}`", f"`{named}`", n] for (said, named), n in most])]
    return "\n\n".join(parts) + "\n"


def main():
    arguments = sys.argv[1:]
    folder = None
    if arguments[:1] == ["--markdown"]:
        folder, arguments = Path(arguments[1]), arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    program = os.environ.get("TCPWHY", str(ROOT / "target/release/tcpwhy"))
    rows = [row for path in arguments for row in judge(program, Path(path))]
    if folder is None:
        print(page(rows, WORDS["en"]), end="")
        return
    (folder / "accuracy-field.md").write_text(page(rows, WORDS["en"]), encoding="utf-8")
    (folder / "accuracy-field.zh-CN.md").write_text(page(rows, WORDS["zh-CN"]), encoding="utf-8")


main()
