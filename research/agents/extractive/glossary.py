"""Words that tables and questions use in two languages: a Chinese question fits English columns."""

from __future__ import annotations

import re

_PAIRS = (
    ("region|area", "地区 区域 大区"),
    ("country|countries", "国家"),
    ("city|cities", "城市"),
    ("province", "省份"),
    ("product", "产品 商品"),
    ("category|categories", "类别 品类"),
    ("channel", "渠道"),
    ("customer", "客户"),
    ("department", "部门"),
    ("division|segment", "业务 分部 板块"),
    ("store|shop", "门店 店铺"),
    ("employees|headcount|staff", "员工 人数"),
    ("revenue|sales", "收入 营收 销售额"),
    ("units sold", "销量 销售量"),
    ("operating income", "营业利润"),
    ("profit", "利润"),
    ("gross margin", "毛利率"),
    ("margin", "利润率"),
    ("cost", "成本"),
    ("price", "价格 单价"),
    ("order", "订单"),
    ("export", "出口"),
    ("amount", "金额 数额"),
    ("quantity|quantities", "数量"),
    ("discount", "折扣"),
    ("salary|salaries|wage", "工资 薪酬"),
    ("year", "年份 年度"),
    ("quarter", "季度"),
    ("month", "月份"),
)


def in_both(text: str) -> str:
    """``text``, followed by the words of the other language for those known in it."""
    more = []
    for english, chinese in _PAIRS:
        if any(word in text for word in chinese.split()):
            more.append(english.replace("|", " "))
        elif re.search(rf"\b({english})s?\b", text, re.IGNORECASE):
            more.append(chinese)
    return " ".join([text, *more])
