/** What `handover inbox` asks over the socket, from one line to one answer. Whoever holds the token may ask for every agent. */
import { isFields } from '@handover/core';
import { isAgentName } from '../../../auth/agent-name.js';
import type { Principal } from '../../../auth/principal.js';
import { isProjectText } from '../../project.js';
import { type Inboxes, type InboxesRequest, type InboxSource, inboxes } from './inboxes.js';

export interface WaitingRefused {
  readonly refused: string;
}

export async function answerWaiting(
  look: InboxSource,
  { tenant }: Principal,
  line: string,
): Promise<Inboxes | WaitingRefused> {
  const request = readRequest(line);
  return typeof request === 'string' ? { refused: request } : inboxes(look, tenant, request);
}

function readRequest(line: string): InboxesRequest | string {
  try {
    const value: unknown = JSON.parse(line);
    const { agent, project, untold } = isFields(value) ? value : {};
    if (agent !== undefined && !isAgentName(agent)) return 'agent must be the name of an agent';
    if (project !== undefined && !isProjectText(project)) return 'project must be the id of a project';
    return {
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
      ...(untold === true && { untold }),
    };
  } catch {
    return 'the second line is no JSON';
  }
}
