"""Another name of `handover_macp.commitment_hash`. Generated: npm run generate."""

from handover_macp.commitment_hash import *  # noqa: F401, F403
