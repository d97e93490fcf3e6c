"""Another name of `handover_macp.multi_round`. Generated: npm run generate."""

from handover_macp.multi_round import *  # noqa: F401, F403
from handover_macp.multi_round import __all__ as __all__
