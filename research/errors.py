"""What can go wrong, and the one sentence the user reads about it.

DossierError
├── ConfigurationError    a setting is missing or contradicts another
├── ModelError            the model endpoint did not do its part
│   ├── WrongKeyError
│   ├── NoSuchModelError
│   ├── QuotaError
│   ├── ModelUnreachableError
│   └── BadModelOutputError
├── WebError              a search or a page failed
│   └── ForbiddenAddressError
├── DocumentError         a file could not be read
│   └── PasswordError
├── SandboxError          model-written code could not be run, or failed
│   └── SandboxUnavailableError
├── ExportError           a report could not be turned into a file
├── StoreError            the disk is full, the database is locked or newer than the program
├── PlanError             a plan that cannot be carried out
└── RunError              the run is not in a state that allows this
"""

from __future__ import annotations

from typing import Any

from research.i18n import text
from research.models import Language, Notice


class DossierError(Exception):
    """An error with a plain sentence and a next step, in every language of the product.

    Args:
        key: The sentence's key in the catalogue.
        params: What fills the sentence's gaps; never a secret.
    """

    def __init__(self, key: str, **params: Any) -> None:
        self.key = key
        self.params = params
        super().__init__(text(key, "en", **params))

    def sentence(self, language: Language) -> str:
        """The sentence in ``language``."""
        return text(self.key, language, **self.params)

    @property
    def notice(self) -> Notice:
        """The sentence as a value that can be stored."""
        return Notice(key=self.key, params=self.params, level="error")


class ConfigurationError(DossierError):
    """A setting is missing or contradicts another."""


class ModelError(DossierError):
    """The model endpoint did not do its part."""


class WrongKeyError(ModelError):
    """The endpoint refused the key."""


class NoSuchModelError(ModelError):
    """The endpoint does not offer that model."""


class QuotaError(ModelError):
    """The account has no credit or quota left."""


class ModelUnreachableError(ModelError):
    """No answer from the endpoint, after every retry."""


class BadModelOutputError(ModelError):
    """The answer did not have the shape that was asked for, after every repair."""


class WebError(DossierError):
    """A search or a page failed."""


class ForbiddenAddressError(WebError):
    """The address is private, or not http(s): it is never fetched."""


class DocumentError(DossierError):
    """A file could not be read."""


class PasswordError(DocumentError):
    """The file is locked: it can be read once the right password is given."""


class SandboxError(DossierError):
    """Model-written code could not be run, or failed."""


class SandboxUnavailableError(SandboxError):
    """No sandbox passes its self-test on this machine: code is shown and not run."""


class ExportError(DossierError):
    """A report could not be turned into a file."""


class StoreError(DossierError):
    """The disk is full, the database is locked, or it was written by a newer version."""


class PlanError(DossierError):
    """A plan that cannot be carried out."""


class RunError(DossierError):
    """The run is not in a state that allows this."""
