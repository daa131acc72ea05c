"""The frame around every page: title, language and navigation. Every request comes in here."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.words import choose_language, say

PAGES = Path(__file__).parent
ICONS = {
    "research": ":material/travel_explore:",
    "knowledge": ":material/menu_book:",
    "reports": ":material/article:",
    "trace": ":material/timeline:",
    "settings": ":material/tune:",
}

st.set_page_config(page_title="Dossier", page_icon=str(PAGES / "mark.svg"), layout="wide")
st.logo(str(PAGES / "logo.svg"), icon_image=str(PAGES / "mark.svg"), size="large")

with st.sidebar:
    choose_language()

page = st.navigation(
    [
        st.Page(
            PAGES / f"{name}.py",
            title=say(f"nav.{name}"),
            icon=icon,
            url_path=name,
            default=name == "research",
        )
        for name, icon in ICONS.items()
    ]
)
page.run()
