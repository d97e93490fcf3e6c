/** What hooks ask over the socket, from one line to one answer. Each is also a sign that the agent is at work. */
import { RejectionCode } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import {
  type Captured,
  type CaptureRequest,
  type HookRequest,
  readCaptureRequest,
  readHookRequest,
} from './capture-request.js';
import type { HandoffService } from './types.js';

export interface HookRefusal {
  readonly refused: string;
  /** The same request may be taken another time. */
  readonly later: boolean;
}

const refusal = (refused: string, later = false): HookRefusal => ({ refused, later });

export interface HookServices {
  readonly handoffs: HandoffService;
  readonly directory: Pick<AgentDirectory, 'atWork'>;
}

export async function answerCapture(
  { handoffs, directory }: HookServices,
  principal: Principal,
  line: string,
): Promise<Captured | HookRefusal> {
  const request = readLineAs<CaptureRequest>(line, readCaptureRequest);
  if (typeof request === 'string') return refusal(request);
  await directory.atWork(principal, request.project?.id);
  const outcome = await handoffs.capture(principal, request);
  if (!('rejection' in outcome)) return outcome.value;
  const { code, message } = outcome.rejection;
  return refusal(message, code === RejectionCode.RATE_LIMITED);
}

export async function answerHook(
  { handoffs, directory }: HookServices,
  principal: Principal,
  line: string,
): Promise<{ readonly text?: string } | HookRefusal> {
  const request = readLineAs<HookRequest>(line, readHookRequest);
  if (typeof request === 'string') return refusal(request);
  await directory.atWork(principal, request.project?.id);
  const text = await handoffs.hookText(principal, request);
  return text === undefined ? {} : { text };
}

function readLineAs<T>(line: string, read: (value: unknown) => T | string): T | string {
  try {
    return read(JSON.parse(line));
  } catch {
    return 'the second line is no JSON';
  }
}
