"""Another name of `handover_macp.errors`. Generated: npm run generate."""

from handover_macp.errors import *  # noqa: F401, F403
