import type { ToolSetName } from '../../../auth/tool-sets.js';
import type { AgentDirectory } from '../../../services/agents/agent-directory.js';
import type { ConfigurationService } from '../../../services/configuration/types.js';
import type { HandoffService } from '../../../services/handoffs/types.js';

/** The services that the tools of this folder call, and the clock. */
export interface HandoffToolDependencies {
  readonly handoffs: HandoffService;
  readonly configuration: ConfigurationService;
  /** Who is here, and who was. */
  readonly directory: AgentDirectory;
  /** The sets that there are. */
  readonly toolSets: readonly ToolSetName[];
  readonly server: { readonly version: string; readonly since: number };
  readonly now: () => number;
}
