/** What `handover take` asks over the socket, from one line to one answer. Whoever holds the data folder is the person. */
import { isFields, type Rejection, RejectionCode, StreamKind, utf8Length } from '@handover/core';
import type { Engine } from '@handover/engine';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { nearestNames } from '../../../platform/nearest-name.js';
import type { AgentDirectory } from '../../agents/agent-directory.js';
import { unknownTarget } from '../../agents/unknown-target.js';
import { listedRows } from '../../listed-rows.js';
import type { HandoffService } from '../types.js';

export interface TakeRequest {
  readonly tenant: string;
  readonly sessionKey: string;
  readonly to: string;
  /** The owner need not be silent. */
  readonly now: boolean;
  /** Also to a name that nobody ever had here. */
  readonly force: boolean;
  readonly reason?: string;
  /** The same request again has the same. */
  readonly idempotencyKey: string;
}

export interface TakenAnswer {
  readonly sessionKey: string;
  readonly handoffId: string;
  readonly from: string;
  readonly to: string;
  readonly silentSince: number;
  readonly takenAt: number;
  /** Set when nobody of that name was ever here: names that are, the nearest first. */
  readonly known?: readonly string[];
}

export interface TakeRefused {
  readonly refused: Rejection;
  /** Keys like the one that was not found. */
  readonly near?: readonly string[];
}

/** Nobody of that name was ever here: names that are, the nearest first. Nothing was done. */
export interface TakerUnknown {
  readonly known: readonly string[];
}

export interface TakeServices {
  readonly handoffs: HandoffService;
  readonly directory: AgentDirectory;
  readonly engine: Pick<Engine, 'list'>;
}

const MAX_TEXT = 4_096;
const MAX_KEY = 255;
const MAX_NAME_BYTES = 256;

export async function answerTake(
  services: TakeServices,
  person: Principal,
  line: string,
): Promise<TakenAnswer | TakeRefused | TakerUnknown> {
  const request = readRequest(line);
  if (typeof request === 'string')
    return { refused: { code: RejectionCode.VALIDATION_ERROR, message: request } };
  const { tenant, force, ...args } = request;
  const principal = { ...person, tenant };
  const { handoffs, directory } = services;
  const unknown = await unknownTarget(directory, handoffs, principal, { transport: 'stdio' }, args.to);
  if (unknown && !force) return { known: unknown.known };
  const outcome = await handoffs.takeFor(principal, args);
  if ('rejection' in outcome) return refusal(services, request, outcome.rejection);
  const { handoffId, from, to, silentSince = 0, answeredAt = 0 } = outcome.value;
  const { sessionKey } = args;
  return {
    ...{ sessionKey, handoffId, from, to, silentSince, takenAt: answeredAt },
    ...(unknown && outcome.replayed !== true && { known: unknown.known }),
  };
}

async function refusal(
  { engine }: TakeServices,
  { tenant, sessionKey }: TakeRequest,
  refused: Rejection,
): Promise<TakeRefused> {
  if (refused.code !== RejectionCode.SESSION_NOT_FOUND) return { refused };
  const keys: string[] = [];
  for await (const { ref } of listedRows(engine, { tenant, kind: StreamKind.Worklog })) {
    keys.push(ref.id);
    if (keys.length === fixedLimits.hookSessions.value) break;
  }
  return { refused, near: nearestNames(sessionKey, keys) };
}

/** The request, or what is wrong with it. Names and keys are judged where they are used. */
function readRequest(line: string): TakeRequest | string {
  const value = parsed(line);
  if (!isFields(value)) return 'the second line must be a JSON object';
  const { tenant, sessionKey, to, now, force, reason, idempotencyKey } = value;
  if (!isShort(tenant, MAX_NAME_BYTES)) return `tenant must have 1 to ${MAX_NAME_BYTES} bytes`;
  if (!isShort(sessionKey, MAX_KEY * 4) || [...sessionKey].length > MAX_KEY)
    return `sessionKey must have 1 to ${MAX_KEY} characters`;
  if (!isShort(to, MAX_NAME_BYTES)) return `to must have 1 to ${MAX_NAME_BYTES} bytes`;
  if (!isShort(idempotencyKey, MAX_NAME_BYTES))
    return `idempotencyKey must have 1 to ${MAX_NAME_BYTES} bytes`;
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MAX_TEXT))
    return `reason may have ${MAX_TEXT} characters`;
  return {
    ...{ tenant, sessionKey, to, now: now === true, force: force === true, idempotencyKey },
    ...(reason !== undefined && { reason }),
  };
}

const isShort = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value !== '' && utf8Length(value) <= bytes;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
