"""Another name of `handover_macp.aio.stream`. Generated: npm run generate."""

from handover_macp.aio.stream import *  # noqa: F401, F403
