"""Words by which a sentence shows what it does: give a reason, tell of a movement, look ahead."""

from __future__ import annotations

import re

CAUSE = re.compile(
    r"\b(because|due to|owing to|thanks to|driven by|caused by|explain(s|ed)? by|as a result"
    r"|result(s|ed)? (from|in)|attribut\w+|reasons?|causes?|benefit(s|ed)? from|led to|drove"
    r"|explains?|comes? from|came from|stem\w* from|owed to|which is why|since the)\b"
    r"|由于|因为|得益于|原因|因此|所以|导致|受益于|源于|归因|主要因|受.{1,12}影响|带动|拉动|推动",
    re.IGNORECASE,
)
CONTRIBUTION = re.compile(
    r"\b(add(s|ed)|contribut\w+|brought|return(s|ed)|account(s|ed) for|reduc(es|ed)|cost|lost"
    r"|offset|rais(es|ed)|cut|sav(es|ed)|lower(s|ed)?|order(s|ed)|postpon\w+|support(s|ed)|took)\b"
    r"|贡献|带来|增加了?|减少了?|抵消|节约|拖累|加之",
    re.IGNORECASE,
)
ANNOUNCEMENT = re.compile(
    r"\b(two|three|four|five|six|several|following|these|\d) (\w+ )?(causes|reasons|sources|factors"
    r"|things|drivers|steps|ways|parts|effects|measures)\b|[:：]$"
    r"|(原因|因素|方面|措施|步骤|来源)(有|包括|如下|主要)",
    re.IGNORECASE,
)
MOVEMENT = re.compile(
    r"\b(gr[eo]w\w*|ris(e|es|en|ing)|rose|fell|fall\w*|increas\w+|decreas\w+|declin\w+|drop\w*"
    r"|widen\w+|narrow\w+|improv\w+|recover\w*|rebound\w*|doubl\w+|halv\w+|shr[aiu]nk|chang\w+"
    r"|evol\w+|trend\w*|move\w*|reduc\w+|stable|unchanged|expand\w+|up|down|higher|lower)\b"
    r"|增|降|升|减|持平|翻番|翻倍|提高|扩大|收窄|变化|趋势|走势|演变|缩短|延长",
    re.IGNORECASE,
)
MOVEMENT_TERM = re.compile(
    MOVEMENT.pattern.partition("|增|")[0]
    + r"|^(增长|增加|下降|降低|减少|上升|上涨|下跌|提高|提升|扩大|收窄|缩短|延长|改善)$"
)
CHANGE_TERM = re.compile(r"chang|develop|evol|trend|movement|(变化|变动|趋势|走势|演变)$")
OUTLOOK = re.compile(
    r"\b(will|expect(s|ed)?|outlook|forecast\w*|plan(s|ned)?|target\w*|guidance|intends?)\b"
    r"|展望|预计|计划|将(会|达|于|在)|预期|目标|未来",
    re.IGNORECASE,
)
WORKERS = re.compile(r"\b(employ\w*|staff|headcount|workforce|works?)\b|员工|职工|在职", re.I)
FAMILIES = (
    (CHANGE_TERM, MOVEMENT, 1.0),
    (MOVEMENT_TERM, MOVEMENT, 0.6),
    (OUTLOOK, OUTLOOK, 0.8),
    (WORKERS, WORKERS, 0.8),
)
"""Words that stand for each other: a term of the first kind, what stands for it, how well."""
FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (r"\bhow (many|much|long|large|high|often|big)\b|多少|几[个家座人辆次台]", re.compile(r"\d")),
    (r"\bwhen\b|什么时候|何时|哪一?年", re.compile(r"\b(19|20)\d\d\b|\d年|\d月")),
    (
        r"^\W*what (is|are)\b|什么(是|叫)|定义",
        re.compile(r"\b(is|are) an?\b|\bmeans\b|是指|指的是"),
    ),
)
"""What a question asks for by a cue, and what a sentence has that gives it."""
