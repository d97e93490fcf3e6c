"""Another name of `handover_macp.retry`. Generated: npm run generate."""

from handover_macp.retry import *  # noqa: F401, F403
