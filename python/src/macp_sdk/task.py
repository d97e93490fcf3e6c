"""Another name of `handover_macp.task`. Generated: npm run generate."""

from handover_macp.task import *  # noqa: F401, F403
from handover_macp.task import __all__ as __all__
