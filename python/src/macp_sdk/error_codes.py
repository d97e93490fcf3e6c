"""Another name of `handover_macp.error_codes`. Generated: npm run generate."""

from handover_macp.error_codes import *  # noqa: F401, F403
