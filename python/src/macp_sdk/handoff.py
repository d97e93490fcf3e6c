"""Another name of `handover_macp.handoff`. Generated: npm run generate."""

from handover_macp.handoff import *  # noqa: F401, F403
