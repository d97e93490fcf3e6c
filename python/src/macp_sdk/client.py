"""Another name of `handover_macp.client`. Generated: npm run generate."""

from handover_macp.client import *  # noqa: F401, F403
