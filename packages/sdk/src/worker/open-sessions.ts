import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { allPages } from '../client/pages.js';
import type { SessionMetadata } from '../client/types.js';
import { MODE_HANDOFF } from '../constants.js';
import { MacpSessionError, MacpTransportError } from '../errors.js';
import { timeLeft } from '../transport/time-left.js';
import { validateId } from '../validation.js';

/** Who asks, and what ends the asking. */
export interface AgentCall {
  readonly agent: string;
  readonly auth: AuthConfig | undefined;
  readonly signal: AbortSignal | undefined;
  /** For the whole list; without it each page has the client's own. A worker has time for any number of sessions. */
  readonly deadlineMs?: number | undefined;
}

/** The agent that offers are looked for: the named one, or the owner of the client's credential. */
export function agentOf(client: MacpClient, named: string | undefined): string {
  const agent = named ?? client.senderHint();
  if (agent === '')
    throw new MacpSessionError('agent is missing, and the credential does not say whose it is', 'agent');
  validateId('agent', agent);
  return agent;
}

/** Whether an offer to the agent can be in the session. Its initiator makes the offers and gets none. */
export function mayHaveOffers({ mode, participants, initiator }: SessionMetadata, agent: string): boolean {
  return mode === MODE_HANDOFF && initiator !== agent && participants.includes(agent);
}

/** The sessions that are open, or suspended, and may have an offer to the agent; those started first come first. */
export async function openSessions(client: MacpClient, call: AgentCall): Promise<readonly SessionMetadata[]> {
  const { agent, auth, signal } = call;
  const found: SessionMetadata[] = [];
  const left = timeLeft({ auth, signal, deadlineMs: call.deadlineMs });
  for await (const { sessions } of allPages((pageToken) => client.listSessionsPage({ ...left(), pageToken })))
    found.push(...sessions.filter((session) => isLive(session) && mayHaveOffers(session, agent)));
  return found.sort((a, b) => a.startedAtUnixMs - b.startedAtUnixMs);
}

export function isLive({ state }: Pick<SessionMetadata, 'state'>): boolean {
  return state === 'OPEN' || state === 'SUSPENDED';
}

/** Whether a session cannot be read any more, by this caller. */
export function isGone(error: unknown): boolean {
  return error instanceof MacpTransportError && GONE.has(error.code ?? '');
}

const GONE: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
]);
