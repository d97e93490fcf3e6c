import type { ConfigurationDesk } from '../../../services/configuration/types.js';
import type { HandoffDesk } from '../../../services/handoffs/types.js';

/** What the tools of this folder translate to. */
export interface HandoffToolParts {
  readonly desk: HandoffDesk;
  readonly configuration: ConfigurationDesk;
  readonly now: () => number;
}
