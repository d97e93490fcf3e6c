"""Another name of `handover_macp.quorum`. Generated: npm run generate."""

from handover_macp.quorum import *  # noqa: F401, F403
from handover_macp.quorum import __all__ as __all__
