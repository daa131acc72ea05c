"""What went wrong with a model call: the sentence for the user, and whether to try again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from research.errors import (
    BadModelOutputError,
    ModelError,
    ModelUnreachableError,
    NoSuchModelError,
    QuotaError,
    WrongKeyError,
)

if TYPE_CHECKING:
    from openai import APIStatusError

TRIES = 6
DETAIL_CHARACTERS = 160
"""How much of an endpoint's own words a sentence may quote."""

_QUOTA = re.compile(
    r"insufficient.?(quota|funds|balance|credit)|billing|exceeded your .*quota", re.I
)
_NO_MODEL = re.compile(r"model.{0,80}(not.?found|not exist|unknown|invalid|not available)", re.I)
_TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum context|too many tokens|too long", re.I
)
_SECRET = re.compile(r"\b(sk|key|tvly|gsk|xai|pk)[-_][\w*.-]{4,}|bearer\s+\S+", re.I)


class AttemptError(Exception):
    """One request failed.

    Args:
        error: What the user reads when nothing else helps.
        tries: How often the request may be made altogether while it fails like this.
        wait: Seconds the endpoint asked to be left alone.
        complaint: What it said of a request it did not understand; empty otherwise.
    """

    def __init__(
        self,
        error: ModelError,
        *,
        tries: int = 1,
        wait: float | None = None,
        complaint: str = "",
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.tries = tries
        self.wait = wait
        self.complaint = complaint


@contextmanager
def failures(host: str, model: str) -> Iterator[None]:
    """Turn everything that the SDK and the connection raise into a :class:`AttemptError`.

    The cause is left out on purpose: it quotes the endpoint's answer, and with it keys.
    """
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise _refused(error, host, model) from None
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, ValueError):
        raise broken(host) from None


def broken(host: str) -> AttemptError:
    """The connection broke or the stream was cut."""
    return AttemptError(ModelUnreachableError("llm.unreachable", host=host), tries=TRIES)


def stalled(host: str) -> AttemptError:
    """The stream stood still."""
    return AttemptError(ModelUnreachableError("llm.stalled", host=host), tries=TRIES)


def not_an_endpoint(host: str) -> AttemptError:
    """The address answered with a web page."""
    return AttemptError(ModelError("llm.not_an_endpoint", host=host))


def empty(model: str) -> AttemptError:
    """The answer had no text."""
    return AttemptError(BadModelOutputError("llm.empty", model=model), tries=2)


def _refused(error: APIStatusError, host: str, model: str) -> AttemptError:
    """What an HTTP status other than 200 means."""
    status = error.status_code
    said = f"{error.message} {error.body}"
    if status in (401, 403):
        return AttemptError(WrongKeyError("llm.wrong_key", host=host))
    if status == 402 or (status == 429 and _QUOTA.search(said)):
        return AttemptError(QuotaError("llm.quota", host=host))
    if status == 404 or (status == 400 and _NO_MODEL.search(said)):
        return AttemptError(NoSuchModelError("llm.no_such_model", host=host, model=model))
    if status in (408, 409, 429) or status >= 500:
        busy = ModelUnreachableError("llm.busy", host=host, status=status)
        return AttemptError(busy, tries=TRIES, wait=retry_after(error.response.headers))
    if _TOO_LONG.search(said):
        return AttemptError(ModelError("llm.too_long", model=model))
    detail = _quotable(error.message.removeprefix(f"Error code: {status} - "))
    refusal = ModelError("llm.refused", host=host, status=status, detail=detail)
    return AttemptError(refusal, complaint=said if status in (400, 422) else "")


def _quotable(said: str) -> str:
    """A short piece of what an endpoint said, without anything that looks like a key."""
    clean = _SECRET.sub("***", " ".join(said.split()))
    return clean if len(clean) <= DETAIL_CHARACTERS else clean[:DETAIL_CHARACTERS] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by ``Retry-After`` (seconds or a date) or ``retry-after-ms``."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after", "")
        if value.replace(".", "", 1).isdigit():
            return float(value)
        if value:
            return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        pass
    return None
