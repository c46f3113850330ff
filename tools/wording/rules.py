"""The rules, as patterns, and what to write instead. docs/dev/words.md explains them to a person.

A pattern finds what it names and hardly anything else: at least nine of ten hits were right when it was
written. Where a word is fine in some sentences and not in others, a reviewer decides, not a pattern.
"""

import re
from dataclasses import dataclass

# Words above which a sentence fails, and above which it needs a second reading.
LONGEST, LONG = 30, 25
# Most columns of a comment line.
COLUMNS = 110


@dataclass(frozen=True)
class Rule:
    id: str
    # The rule of docs/dev/words.md that it checks, or the section there.
    source: str
    pattern: re.Pattern
    hint: str
    # The same pattern for many sentences in lower case, one per line.
    anywhere: re.Pattern = None

    def applies(self, together, small):
        return self.anywhere.search(small if self.pattern.flags & re.IGNORECASE else together)


def rule(id, source, hint, *patterns, flags=re.IGNORECASE):
    pattern = "|".join(patterns)
    # A case-insensitive search is twice as slow, so lower-case text is searched with lower-case patterns.
    anywhere = re.compile(pattern.lower() if flags else pattern, re.MULTILINE)
    return Rule(id, source, re.compile(pattern, flags), hint, anywhere)


# A clause with "what" as subject: its own verb, then that of the sentence, without a new subject before it.
VERB = (
    r"(?:is|are|was|were|has|have|can|may|does|goes|comes|becomes|stays|remains|must|would|will|gets|needs|makes|"
    r"counts|shows)"
)
INNER = (
    r"(?:is|are|was|were|has|have|had|can|may|might|does|do|did|must|would|will|needs?|\w+ed|sent|said|saw|left|held|"
    r"holds|shows?|knows?|says?)"
)
SUBJECTS = "it that they not there which who nobody nothing and or as if than what to".split()
AUXILIARIES = "may can must would will could is are was".split()
NO_SUBJECT = "".join(rf"(?<!\b{word})" for word in SUBJECTS + AUXILIARIES)
NEW_CLAUSE = (
    r"(?:once|when|where|while|until|because|if|before|after|how|that|which|whose|than|as|and|or|so|the|an?)\b"
)
WORD = rf"(?!{NEW_CLAUSE})[^\s,;:?]+"
WHAT_IS_SUBJECT = (
    rf"^(?:What|Whoever|Who) (?:{WORD} ){{0,3}}(?:(?:the|an?) [^\s,;:?]+ )?{INNER} "
    rf"(?:{WORD} ?){{0,5}}{NO_SUBJECT} {VERB}\b(?! \?)(?=[^?]*$)"
)

# Words around "a" that means "per": the counted thing, then the unit.
TIME = (
    r"(?:minute|hour|day|week|millisecond|second(?=\s*(?:[.,;:)]|$|(?:of|on|in|and|to|over|is|for|at|when|from|with|"
    r"or|by|through|that|each|as|are|were|was)\b)))"
)
COUNT = (
    r"(?:\b(?:bits?|bytes?|packets|segments|times|samples|frames|connections|requests|records|messages|lines|events|"
    r"scans|writes|reads|looks|[kMGT]i?B|[kMG]?bit|seconds|once|twice)|[\d§])"
)
SIZE = r"\b(?:[kMGT]i?B|[kMG]?bit|bits?|bytes?|segments|nanoseconds|microseconds|seconds|once|twice)"
THING = r"(?:round trip|connection|packet|segment|sample|frame|request|file|ACK|socket|process|line|direction)\b"

ENGLISH = [
    rule("what-subject", "rule 1", "name the person, program or number that does it", WHAT_IS_SUBJECT, flags=0),
    rule(
        "what-there-is",
        "rule 1",
        "name the thing: the data to draw, the interfaces",
        r"\bwhat there is\b|\bth(?:o|e)se that there are\b",
    ),
    rule("tell", "rule 2", "report, show, print or distinguish", r"\b(?:tells?|told|telling)\b"),
    rule("say-of", "rule 2", "report about, show for", r"\b(?:says?|said|saying) of\b"),
    rule("stand", "rule 2", "is, is written, remains", r"\b(?:stands?|stood|standing)\b(?! for| in for| out|-)"),
    # "Lie" is a term of the field for losses on a line and values in a range, but not for files.
    rule(
        "lie",
        "rule 2",
        "is",
        r"\b(?:lies?|lay|lain|lying) (?:there|beside|ready|about|on the way|with)\b(?! \d)",
        r"\bwherever (?:it|they) lies?\b",
    ),
    rule(
        "come-to",
        "rule 2",
        "equals, is, adds up to",
        r"\b(?:comes?|came|coming) to\b(?! (?:an|its|their|the) end| light| rest)",
    ),
    rule(
        "held-against",
        "rule 2",
        "compared with, checked against",
        r"\b(?:holds?|held|holding) (?:\w+ ){0,4}against\b",
    ),
    rule(
        "take-up",
        "rule 2",
        "uses, regards as",
        r"\b(?:takes?|took|taken|taking) (?:it|them|this|that) up\b",
        r"\b(?:takes?|took|taken|taking) up (?:it|them|this)\b",
        r"\b(?:takes?|took|taken|taking) (?:\w+ ){1,4}for (?:open|lost|dead|alive|closed|good)\b",
    ),
    rule(
        "look",
        "rule 2",
        "scan, pass",
        r"\b(?:an?|each|every|two|three|first|last|next|previous|between|per|many|few|\d+) looks?\b(?! at|-)",
        r"\bone look\b",
    ),
    rule(
        "be-of",
        "rule 2",
        "belongs to, has, comes from",
        r"(?<!there )\b(?:is|are|was|were|be) of (?:an?|one|two|another|this|that)\b",
    ),
    rule("of-start", "rule 3", "start with the noun: most of …, one of …", r"^(?:And o|O)f (?!course\b)", flags=0),
    rule("per", "rule 4", "per", rf"{COUNT} an? {TIME}|{SIZE} an? {THING}"),
    rule(
        "meanwhile",
        "rule 5",
        "while, until, because, with a subject",
        r"\b(?:meanwhile|thereby|thereof|therefrom|wherein|whereof|whereby|hereby|therein|thereupon)\b",
        r"\bfor want of\b",
    ),
    rule(
        "meant",
        "rule 5",
        "is intended, is intentional",
        r"\b(?:is|are|was|were|be) meant\b(?! (?:for|to)\b)",
    ),
    rule("reckon", "rule 7", "compute, estimate", r"\breckon\w*"),
    rule("sent-again", "rule 7", "retransmitted", r"\b(?:sent|sends?|sending) (?:\w+ ){0,4}again\b"),
    rule("mend", "rule 7", "fix", r"\bmend(?:s|ed|ing)?\b"),
    rule("tread", "rule 7", "plateau, flat step", r"\btreads?\b"),
    rule(
        "flight",
        "rule 7",
        "bytes in flight, final round trip",
        r"\b(?:flies|flew|flying|flights|last flight|the flight)\b|\bB fly\b",
    ),
    rule("by-turns", "rule 7", "request–response", r"\bby turns\b"),
    rule("to-the-full", "rule 7", "saturated", r"\bto the full\b"),
    rule(
        "standing-queue",
        "rule 7",
        "persistent queue (bufferbloat)",
        r"\bstanding queues?\b|\bqueues? that stands?\b",
    ),
    rule(
        "closed-window",
        "rule 7",
        "zero window",
        r"\bclos(?:e|es|ed|ing) (?:its|their|the|a) (?:receive )?windows?\b",
        r"\bclosed windows?\b|\bwindows? (?:is|was|were|are) closed\b",
    ),
    rule("mid-stream", "rule 7", "capture started mid-connection", r"\bmid-?stream\b"),
    rule(
        "left-alone",
        "rule 7",
        "autotuned",
        r"\bleav\w+ (?:the |a |such |its |their )?(?:buffers?|sockets?) alone\b",
        r"\bbuffers? (?:\w+ ){0,3}left alone\b",
    ),
    rule("in-vain", "rule 7", "without effect", r"\bin vain\b"),
    rule(
        "fraction",
        "rule 7",
        "15 minutes, 0.1 s",
        r"\b(?:a|three) quarters? of an hour\b",
        r"\ba (?:tenth|hundredth|thousandth) of a (?:second|millisecond)\b",
    ),
    rule(
        "and-more",
        "rule 7",
        "or more",
        r"(?:[\d§%]|\b(?:second|seconds|minute|times|percent|[kMG]?B|ms|s)) and more\b",
    ),
    rule("vague-fix", "rule 8", "name the object and the means: Profile the application", r"\bfind out what\b"),
    rule(
        "old-word",
        "rule 7",
        "a plain word of the field",
        r"\bcounters of trouble\b|\b(?:worth knowing|won back|could win|hardly faster|peer's turn|at its ceiling)\b",
        r"\b(?:took its time to answer|exceptional (?:packet|event)s?|of unclear kind)\b",
        r"\b(?:grave|gravely|nowadays|whence|lest|oftener|aught|naught|amiss|withal)\b",
    ),
    rule(
        "capability",
        "rule 7",
        "needs the CAP_… capability; other byte order",
        r"\bthe right CAP_|\bmachine of the other byte order\b",
    ),
]

# Chinese: one word per term, and an informal form of address.
CHINESE = [
    Rule("zh-you", "Chinese", re.compile("您"), "你"),
    *(
        Rule("zh-term", "Chinese", re.compile(pattern), instead)
        for pattern, instead in [
            ("链路已跑满", "路径已跑满"),
            ("末尾在途", "最后一轮在途数据"),
            ("右边界|窗口右边缘", "窗口右沿"),
            ("自动调节", "自动调整"),
            ("往返延迟|往返时间", "往返时延（RTT）"),
            ("抓包未见", "未抓到"),
            ("常设队列", "持续排队"),
            ("发送方", "发送端"),
            ("接收方", "接收端"),
            ("应用程序", "应用"),
            ("限速器|流量监管", "限速设备（policer）"),
            ("尾部丢失", "尾部丢包"),
            ("有效速率", "有效吞吐"),
            ("窗口扩大", "窗口缩放"),
            ("关闭的窗口", "零窗口"),
            ("调高", "调大"),
            ("记账", "内核统计"),
            ("所称", "置信度"),
        ]
    ),
]

# Rules about lines and files, not phrases.
SENTENCE = Rule("sentence", "rule 6", None, f"{LONGEST} words at most, better under {LONG}: two sentences or a list")
SECOND_READING = Rule("long", "rule 6", None, f"better under {LONG} words")
COLUMN = Rule("columns", "rule 10", None, f"a line of comment has at most {COLUMNS} columns")
TEXT_IN_CODE = Rule("text-in-code", "Where text belongs", None, "a message comes from the catalogue (locales/), code names its id")
CHINESE_OUTSIDE = Rule("chinese-outside", "Where text belongs", None, "Chinese belongs in locales/zh-CN, *.zh-CN.md and tests")

ALL = [*ENGLISH, *CHINESE, SENTENCE, SECOND_READING, COLUMN, TEXT_IN_CODE, CHINESE_OUTSIDE]
