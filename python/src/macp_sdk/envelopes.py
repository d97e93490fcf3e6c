"""Another name of `handover_macp.envelopes`. Generated: npm run generate."""

from handover_macp.envelopes import *  # noqa: F401, F403
