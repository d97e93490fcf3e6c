"""Another name of `handover_macp.handoff`. Generated: npm run generate."""

from handover_macp.handoff import *  # noqa: F401, F403
from handover_macp.handoff import __all__ as __all__
