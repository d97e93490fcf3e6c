/**
 * The tools of working sessions and handoffs, in the order in which they are listed: registering, context, requests,
 * then the lifecycle.
 */
import type { ToolSet } from '../tool.js';
import { acceptHandoff } from './accept-handoff.js';
import { cancelHandoff } from './cancel-handoff.js';
import { commitHandoff } from './commit-handoff.js';
import { declineHandoff } from './decline-handoff.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { getConfiguration } from './get-configuration.js';
import { getHandoff } from './get-handoff.js';
import { listHandoffs } from './list-handoffs.js';
import { manageConfigurationBackup } from './manage-configuration-backup.js';
import { registerSession } from './register-session.js';
import { requestHandoff } from './request-handoff.js';
import { searchContext } from './search-context.js';
import { sendHandoffContext } from './send-handoff-context.js';
import { updateConfiguration } from './update-configuration.js';
import { updateContext } from './update-context.js';
import { waitForHandoff } from './wait-for-handoff.js';

export function handoffToolSet(deps: HandoffToolDependencies): ToolSet {
  const tools = [
    registerSession,
    updateContext,
    searchContext,
    requestHandoff,
    listHandoffs,
    getHandoff,
    waitForHandoff,
    acceptHandoff,
    declineHandoff,
    sendHandoffContext,
    commitHandoff,
    cancelHandoff,
    getConfiguration,
    updateConfiguration,
    manageConfigurationBackup,
  ];
  return { name: 'handoff', tools: tools.map((tool) => tool(deps)) };
}
