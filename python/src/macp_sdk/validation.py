"""Another name of `handover_macp.validation`. Generated: npm run generate."""

from handover_macp.validation import *  # noqa: F401, F403
