"""The words that votes, evaluations and objections may use, as the protocol writes them."""

VOTES = ("APPROVE", "REJECT", "ABSTAIN")
"""What a vote may say."""

RECOMMENDATIONS = ("APPROVE", "REVIEW", "BLOCK", "REJECT")
"""What an evaluation may recommend."""

SEVERITIES = ("low", "medium", "high", "critical")
"""How heavy an objection may be."""
