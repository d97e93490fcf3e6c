"""Another name of `handover_macp.inbox`. Generated: npm run generate."""

from handover_macp.inbox import *  # noqa: F401, F403
