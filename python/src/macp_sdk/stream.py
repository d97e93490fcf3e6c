"""Another name of `handover_macp.stream`. Generated: npm run generate."""

from handover_macp.stream import *  # noqa: F401, F403
