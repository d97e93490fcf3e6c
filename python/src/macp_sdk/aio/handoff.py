"""Another name of `handover_macp.aio.handoff`. Generated: npm run generate."""

from handover_macp.aio.handoff import *  # noqa: F401, F403
