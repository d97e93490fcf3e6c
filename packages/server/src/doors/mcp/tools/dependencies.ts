import type { ConfigurationService } from '../../../services/configuration/types.js';
import type { HandoffService } from '../../../services/handoffs/types.js';

/** What the tools of this folder translate to. */
export interface HandoffToolDependencies {
  readonly handoffs: HandoffService;
  readonly configuration: ConfigurationService;
  readonly now: () => number;
}
