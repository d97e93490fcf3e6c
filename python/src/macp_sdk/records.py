"""Another name of `handover_macp.records`. Generated: npm run generate."""

from handover_macp.records import *  # noqa: F401, F403
