"""Another name of `handover_macp.models`. Generated: npm run generate."""

from handover_macp.models import *  # noqa: F401, F403
