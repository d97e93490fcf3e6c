"""Another name of `handover_macp.projection`. Generated: npm run generate."""

from handover_macp.projection import *  # noqa: F401, F403
