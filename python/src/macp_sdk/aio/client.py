"""Another name of `handover_macp.aio.client`. Generated: npm run generate."""

from handover_macp.aio.client import *  # noqa: F401, F403
