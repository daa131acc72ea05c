"""Every setting in one typed object, read from the environment and ``settings.toml``.

The environment wins over ``settings.toml`` in the data folder. Names are those below in upper
case with ``DOSSIER_`` in front, except the ones other tools share (``OPENAI_API_KEY``,
``OPENAI_BASE_URL``, ``TAVILY_API_KEY``, ``TAVILY_BASE_URL``).
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import AliasChoices, BaseModel, Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

Role = Literal["coordinator", "rewriter", "planner", "researcher", "coder", "reporter"]
"""The agents that may each have a model of their own."""


class Price(BaseModel):
    """US dollars for a million tokens of one model."""

    prompt: float
    completion: float


class SandboxLimits(BaseModel):
    """What one job of model-written code may use at most, and the image it may run in."""

    wall_seconds: float = Field(default=60.0, gt=0)
    cpu_seconds: int = Field(default=45, gt=0)
    memory_mb: int = Field(default=2048, gt=0)
    """The job's own, without the libraries."""
    threads: int = Field(default=128, gt=0)
    """In its one process: it cannot start another."""
    file_mb: int = Field(default=64, gt=0)
    """One file."""
    files: int = Field(default=2000, gt=0)
    """Files and folders that it makes."""
    scratch_mb: int = Field(default=256, gt=0)
    """All files together."""
    output_kb: int = Field(default=256, gt=0)
    """stdout and stderr, each."""
    artefacts: int = Field(default=24, gt=0)
    artefact_mb: int = Field(default=8, gt=0)
    container: str = ""
    """Image in which podman or docker runs code where the other walls do not hold."""


class Settings(BaseSettings):
    """The settings of one installation."""

    model_config = SettingsConfigDict(env_prefix="DOSSIER_", extra="ignore", populate_by_name=True)

    home: Path = Field(default_factory=lambda: user_data_path("dossier"))
    """Where documents, runs and the index are kept."""

    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_API_KEY", "openai_api_key")
    )
    openai_base_url: str | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_BASE_URL", "openai_base_url")
    )
    model: str = "gpt-5.4-mini"
    """Model of every role that has none of its own."""
    models: dict[Role, str] = Field(default_factory=dict)
    prices: dict[str, Price] = Field(default_factory=dict)
    model_timeout: float = 120.0
    """Seconds one model call may take."""
    model_calls: int = 12
    """Model calls under way at once, in the whole process."""

    tavily_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("TAVILY_API_KEY", "tavily_api_key")
    )
    tavily_base_url: str | None = Field(
        default=None, validation_alias=AliasChoices("TAVILY_BASE_URL", "tavily_base_url")
    )
    searches: int = 8
    """Searches under way at once."""
    page_reads: int = 12
    """Pages read at once."""

    embedder: str = "builtin"
    """``builtin``, ``endpoint:MODEL``, or a sentence-transformers model by name or folder."""
    embedding_api_key: SecretStr | None = None
    """Of the endpoint that embeds; that of the language model unless it is given."""
    embedding_base_url: str | None = None
    reranker: str = ""
    """A cross-encoder of sentence-transformers by name or folder; empty for none."""
    upload_mb: int = 200
    """A larger file is refused."""

    sandboxes: int = Field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Jobs of model-written code at once."""
    sandbox: SandboxLimits = Field(default_factory=SandboxLimits)

    @property
    def has_model(self) -> bool:
        """Whether a language model does the thinking."""
        return self.openai_api_key is not None and bool(
            self.openai_api_key.get_secret_value().strip()
        )

    def model_for(self, role: Role) -> str:
        """The model that speaks for ``role``."""
        return self.models.get(role, self.model)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, then ``settings.toml`` in the data folder."""
        home = Path(os.environ.get("DOSSIER_HOME") or user_data_path("dossier"))
        toml = TomlConfigSettingsSource(settings_cls, home / "settings.toml")
        return (init_settings, env_settings, toml)


@cache
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
