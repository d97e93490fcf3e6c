import type { ConfigurationService } from '../../../services/configuration/types.js';
import type { HandoffService } from '../../../services/handoffs/types.js';

/** The services that the tools of this folder call, and the clock. */
export interface HandoffToolDependencies {
  readonly handoffs: HandoffService;
  readonly configuration: ConfigurationService;
  readonly now: () => number;
}
