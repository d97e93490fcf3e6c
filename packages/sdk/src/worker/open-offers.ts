/** The inbox: what waits for an agent now. */

import { given, validateSignal } from '../arguments.js';
import { type AuthConfig, resolveIdentity } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import type { SessionMetadata } from '../client/types.js';
import { HandoffSession } from '../handoff/session.js';
import { type OpenOffer, toOpenOffer, waitingFor } from './offer.js';
import { type AgentCall, agentOf, isGone, openSessions } from './open-sessions.js';

/** For whom to look. */
export interface OpenOffersOptions {
  /** By default the owner of the client's credential. */
  readonly agent?: string | undefined;
  /** The credential, in place of the client's. It must fit the agent. */
  readonly auth?: AuthConfig | undefined;
  /** Gives the look up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

const READ_AT_ONCE = 16;

/** The offers that wait for an agent's answer now, oldest first. Sessions that have ended are not read. */
export async function openOffers(
  client: MacpClient,
  options: OpenOffersOptions = {},
): Promise<readonly OpenOffer[]> {
  given('client', client);
  validateSignal(given('options', options).signal);
  const agent = agentOf(client, options.agent);
  const { auth } = resolveIdentity(client.auth, options.auth, agent);
  const call = { agent, auth, signal: options.signal, deadlineMs: client.defaultDeadlineMs };
  const sessions = (await openSessions(client, call)).filter(({ state }) => state === 'OPEN');
  const found: OpenOffer[] = [];
  const left = sessions.values();
  let failed = false;
  const read = async () => {
    for (const session of left) {
      if (failed) return;
      const offer = await offerIn(client, session, call).catch((error: unknown) => {
        failed = true;
        throw error;
      });
      if (offer) found.push(offer);
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, read));
  options.signal?.throwIfAborted();
  return found.sort((a, b) => a.offeredAtUnixMs - b.offeredAtUnixMs);
}

async function offerIn(
  client: MacpClient,
  { sessionId, expiresAtUnixMs }: SessionMetadata,
  { agent, auth, signal }: AgentCall,
): Promise<OpenOffer | undefined> {
  const session = new HandoffSession(client, { sessionId, auth });
  try {
    const projection = await session.sync({ signal });
    const record = waitingFor(agent, projection);
    return record && toOpenOffer({ sessionId, expiresAtUnixMs }, projection, record);
  } catch (error) {
    // It has gone since it was listed.
    if (isGone(error)) return undefined;
    throw error;
  }
}
