"""Another name of `handover_macp.constants`. Generated: npm run generate."""

from handover_macp.constants import *  # noqa: F401, F403
