"""Another name of `handover_macp.what_if`. Generated: npm run generate."""

from handover_macp.what_if import *  # noqa: F401, F403
