/** The tools of working sessions and handoffs, by set, in the order in which they are listed. */
import type { ToolSet } from '../tool.js';
import { acceptHandoff } from './accept-handoff.js';
import { cancelHandoff } from './cancel-handoff.js';
import { closeSession } from './close-session.js';
import { commitHandoff } from './commit-handoff.js';
import { declineHandoff } from './decline-handoff.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { getConfiguration } from './get-configuration.js';
import { getHandoff } from './get-handoff.js';
import { handOff } from './hand-off.js';
import { listHandoffs } from './list-handoffs.js';
import { listSessions } from './list-sessions.js';
import { manageConfigurationBackup } from './manage-configuration-backup.js';
import { readContext } from './read-context.js';
import { registerSession } from './register-session.js';
import { requestHandoff } from './request-handoff.js';
import { resume } from './resume.js';
import { searchContext } from './search-context.js';
import { sendHandoffContext } from './send-handoff-context.js';
import { updateConfiguration } from './update-configuration.js';
import { updateContext } from './update-context.js';
import { waitForHandoff } from './wait-for-handoff.js';
import { whoAmI } from './who-am-i.js';

export function handoffToolSets(deps: HandoffToolDependencies): readonly ToolSet[] {
  const handoff = [
    resume,
    handOff,
    updateContext,
    readContext,
    searchContext,
    listSessions,
    declineHandoff,
    cancelHandoff,
    closeSession,
    whoAmI,
    registerSession,
    requestHandoff,
  ];
  const lifecycle = [
    listHandoffs,
    getHandoff,
    waitForHandoff,
    acceptHandoff,
    sendHandoffContext,
    commitHandoff,
  ];
  const admin = [getConfiguration, updateConfiguration, manageConfigurationBackup];
  return [
    { name: 'handoff', tools: handoff.map((tool) => tool(deps)) },
    { name: 'lifecycle', tools: lifecycle.map((tool) => tool(deps)) },
    { name: 'admin', tools: admin.map((tool) => tool(deps)) },
  ];
}
