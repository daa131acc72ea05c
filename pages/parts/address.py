"""What a page shows stands in its address, so that a refresh and a link show the same."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def recall(name: str, key: str, values: Mapping[str, str]) -> None:
    """Set the widget ``key`` to what the address says, before it is drawn.

    Args:
        name: Of the parameter in the address.
        key: Of the widget.
        values: The widget's value for each word of the address, the default first.
    """
    default = next(iter(values))
    asked = st.query_params.get(name, default)
    st.session_state[key] = values.get(asked, values[default])


def remember(name: str, key: str, default: str, words: Mapping[str, str]) -> None:
    """Put what was chosen in the widget ``key`` into the address; a callback.

    Args:
        name: Of the parameter in the address.
        key: Of the widget.
        default: The word that is left out of the address.
        words: The word for each value of the widget.
    """
    word = words[st.session_state[key]]
    if word != default:
        st.query_params[name] = word
    elif name in st.query_params:
        del st.query_params[name]
