"""The bootstrap file: how an agent that somebody else starts learns who it is and where to go."""

from __future__ import annotations

import base64
import json
import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from ..aio import AsyncMacpClient
from ..auth import AuthConfig
from ..constants import DEFAULT_CONFIGURATION_VERSION, DEFAULT_MODE_VERSION, DEFAULT_POLICY_VERSION
from ..envelopes import _payload_class
from ..errors import MacpSessionError
from ..handoff.content import encode_context
from ..models import Root
from .participant import InitiatorPlan, Participant

log = logging.getLogger("handover_macp")

_URL = re.compile(r"(https?|grpcs?)://([^/]+)/?")


def from_bootstrap(path: str | None = None) -> Participant:
    """Makes the participant that a JSON file describes; without a path, MACP_BOOTSTRAP_FILE names it."""
    path = path or os.environ.get("MACP_BOOTSTRAP_FILE", "")
    if not path:
        raise MacpSessionError("path", "is missing, and MACP_BOOTSTRAP_FILE is not set")
    try:
        document = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise MacpSessionError("path", f"names no bootstrap file: {error}") from error
    if not isinstance(document, dict):
        raise MacpSessionError("path", "must name a file with a JSON object")
    return _participant(document)


def _participant(document: Mapping[str, Any]) -> Participant:
    session_id, participant_id, mode = (_text(document, key) for key in ("session_id", "participant_id", "mode"))
    if "cancel_callback" in document:
        log.warning("bootstrap: cancel_callback is not supported and ignored")
    auth = _auth(document, participant_id)
    initiator = document.get("initiator")
    everybody = document.get("participants", [])
    return Participant(
        participant_id=participant_id,
        session_id=session_id,
        mode=mode,
        client=_client(document, auth),
        auth=auth,
        mode_version=document.get("mode_version", DEFAULT_MODE_VERSION),
        configuration_version=document.get("configuration_version", DEFAULT_CONFIGURATION_VERSION),
        policy_version=document.get("policy_version", DEFAULT_POLICY_VERSION),
        initiator=None if initiator is None else _plan(initiator, mode, everybody),
    )


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str) or not value.strip():
        raise MacpSessionError(key, "is missing or blank in the bootstrap file")
    return value


def _auth(document: Mapping[str, Any], participant_id: str) -> AuthConfig:
    """A real token of the participant, or a name for a server in dev mode; flat, or nested under `auth`."""
    nested = document.get("auth", {})
    if "auth_token" in document:
        return AuthConfig.for_bearer(_text(document, "auth_token"), expected_sender=participant_id)
    if "bearer_token" in nested:
        return AuthConfig.for_bearer(_text(nested, "bearer_token"), expected_sender=participant_id)
    return AuthConfig.for_dev_agent(document.get("agent_id", nested.get("agent_id", participant_id)))


def _client(document: Mapping[str, Any], auth: AuthConfig) -> AsyncMacpClient:
    named = _text(document, "runtime_url" if "runtime_address" not in document and "runtime_url" in document else "runtime_address")
    url = _URL.fullmatch(named)
    by_scheme = True if url and url[1] in ("https", "grpcs") else None
    return AsyncMacpClient(
        url[2] if url else named,
        secure=document.get("secure", by_scheme),
        allow_insecure=document.get("allow_insecure", False),
        auth=auth,
    )


def _plan(initiator: Mapping[str, Any], mode: str, everybody: Sequence[str]) -> InitiatorPlan:
    start = {"participants": everybody, **initiator["session_start"]}
    extensions = {key: _extension(key, value) for key, value in start.pop("extensions", {}).items()}
    roots = [Root(root["uri"], root.get("name", "")) for root in start.pop("roots", ())]
    session_start = {**start, "extensions": extensions, "roots": roots}
    kickoff = initiator.get("kickoff")
    if kickoff is None:
        return InitiatorPlan(session_start)
    return InitiatorPlan(session_start, (kickoff["message_type"], _payload(kickoff, mode)))


def _extension(key: str, value: Any) -> bytes:
    """A text is base64 of the bytes; another value is JSON and travels as its bytes."""
    if not isinstance(value, str):
        return encode_context(value)[1]
    try:
        return base64.b64decode(value, validate=True)
    except ValueError:
        raise MacpSessionError(f"extensions.{key}", "is a text that is not base64") from None


def _payload(kickoff: Mapping[str, Any], mode: str) -> bytes:
    """The payload's JSON form where the type is known; else its JSON text, as extension modes take it."""
    message = _payload_class(mode, kickoff["message_type"])
    if message is None:
        return json.dumps(kickoff["payload"]).encode()
    try:
        return bytes(json_format.ParseDict(kickoff["payload"], message()).SerializeToString())
    except json_format.ParseError as error:
        raise MacpSessionError("kickoff", f"has a payload that cannot be read: {error}") from None
