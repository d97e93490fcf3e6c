"""Another name of `handover_macp.aio`. Generated: npm run generate."""

from handover_macp.aio import *  # noqa: F401, F403
from handover_macp.aio import __all__ as __all__
