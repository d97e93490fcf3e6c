"""Another name of `handover_macp.auth`. Generated: npm run generate."""

from handover_macp.auth import *  # noqa: F401, F403
