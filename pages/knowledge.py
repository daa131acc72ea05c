"""Knowledge: bring documents in, see what was read, search them, take them out."""

from __future__ import annotations

import streamlit as st

from pages.parts import library, uploads
from pages.parts.words import say

st.title(say("knowledge.title"), anchor=False)
uploads.upload_box("knowledge")
uploads.bars()
library.listing()
library.search()
