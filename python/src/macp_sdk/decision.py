"""Another name of `handover_macp.decision`. Generated: npm run generate."""

from handover_macp.decision import *  # noqa: F401, F403
from handover_macp.decision import __all__ as __all__
