"""Another name of `handover_macp.version`. Generated: npm run generate."""

from handover_macp.version import *  # noqa: F401, F403
