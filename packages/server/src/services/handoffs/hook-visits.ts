/**
 * What hooks ask about a conversation, at every door. Each is also a sign that the agent was at work when it happened,
 * which may be a while before it arrives.
 */
import { type Rejection, RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import type { Connection } from '../connection.js';
import type { Outcome } from '../outcome.js';
import { type Captured, happenedAt, readCaptureRequest, readHookRequest } from './capture-request.js';
import type { HookTold } from './hook-text.js';
import type { HandoffService } from './types.js';

export interface HookServices {
  readonly handoffs: Pick<HandoffService, 'capture' | 'hookText'>;
  readonly directory: Pick<AgentDirectory, 'atWork' | 'looked'>;
  readonly now: () => number;
}

export async function takeCapture(
  { handoffs, directory, now }: HookServices,
  principal: Principal,
  body: unknown,
  connection: Pick<Connection, 'transport'>,
): Promise<Outcome<Captured>> {
  const request = readCaptureRequest(body);
  if (typeof request === 'string') return wrong(request);
  await directory.atWork(principal, request.project?.id, happenedAt(request, now()));
  return handoffs.capture(principal, request, connection);
}

export async function takeHook(
  { handoffs, directory, now }: HookServices,
  principal: Principal,
  body: unknown,
  connection: Pick<Connection, 'transport'>,
): Promise<Outcome<Partial<HookTold>>> {
  const request = readHookRequest(body);
  if (typeof request === 'string') return wrong(request);
  const { project, shown } = request;
  // A person may look for an agent that is away: that is no sign of the agent.
  if (shown === undefined) await directory.atWork(principal, project?.id, happenedAt(request, now()));
  else await directory.looked(principal, project?.id, shown);
  return { value: (await handoffs.hookText(principal, request, connection)) ?? {} };
}

/** How the socket refuses: as an answer. */
export interface HookRefusal {
  readonly refused: string;
  /** The same request may be taken another time. */
  readonly later: boolean;
}

/** One line of the socket to one answer. */
export async function answerLine<T>(
  line: string,
  take: (body: unknown) => Promise<Outcome<T>>,
): Promise<T | HookRefusal> {
  const body = parsed(line);
  if (body === undefined)
    return refusal(reject(RejectionCode.VALIDATION_ERROR, 'the second line is no JSON'));
  const outcome = await take(body);
  return 'rejection' in outcome ? refusal(outcome.rejection) : outcome.value;
}

const refusal = ({ code, message }: Rejection): HookRefusal => ({
  refused: message,
  later: code === RejectionCode.RATE_LIMITED,
});

const wrong = (message: string) => ({ rejection: reject(RejectionCode.VALIDATION_ERROR, message) });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
