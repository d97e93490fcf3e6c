"""Who speaks, and with which credential."""

import pytest
from handover_macp import AuthConfig, MacpIdentityMismatchError, MacpSessionError


def test_a_dev_credential_becomes_another_agents():
    auth, sender = AuthConfig.for_dev_agent("owner-a").acting_as("owner-b")
    assert (auth.bearer_token, sender, auth.is_dev) == ("owner-b", "owner-b", True)


def test_a_pinned_token_never_speaks_for_another():
    auth = AuthConfig.for_bearer("secret", expected_sender="owner-a")
    with pytest.raises(MacpIdentityMismatchError) as raised:
        auth.acting_as("owner-b")
    assert (raised.value.expected_sender, raised.value.actual_sender) == ("owner-a", "owner-b")


@pytest.mark.parametrize("hint", [None, "owner-a"])
def test_a_real_token_stays_itself_whoever_is_named(hint):
    token = AuthConfig.for_bearer("secret", sender_hint=hint)
    auth, sender = token.acting_as("owner-b")
    assert auth is token
    assert sender == "owner-b"


def test_the_token_is_never_shown():
    assert "secret" not in repr(AuthConfig.for_bearer("secret"))


@pytest.mark.parametrize("token", ["", "a\nb", "a\r\nx-other: 1", " a", "a ", "\u00e9", "a\x7f"])
def test_a_token_that_would_break_the_header_is_refused(token):
    with pytest.raises(MacpSessionError, match="bearer_token"):
        AuthConfig.for_bearer(token)


def test_a_blank_agent_is_refused():
    with pytest.raises(MacpSessionError, match="agent_id"):
        AuthConfig.for_dev_agent(" ")


def test_a_dev_agent_is_expected_to_be_itself():
    assert AuthConfig.for_dev_agent("a").expected_sender == "a"
    assert AuthConfig.for_dev_agent("a", expected_sender="a").sender == "a"
    with pytest.raises(MacpIdentityMismatchError):
        AuthConfig.for_dev_agent("a", expected_sender="b")
