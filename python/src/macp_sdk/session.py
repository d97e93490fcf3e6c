"""Another name of `handover_macp.session`. Generated: npm run generate."""

from handover_macp.session import *  # noqa: F401, F403
from handover_macp.session import __all__ as __all__
