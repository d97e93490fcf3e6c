"""Another name of `handover_macp.policy`. Generated: npm run generate."""

from handover_macp.policy import *  # noqa: F401, F403
