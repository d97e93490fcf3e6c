/** What the answer of a method is expected to have, before it is made: bytes, and how much of a turn it takes. */
import { methods } from '@handover/wire';
import { fixedLimits } from '../../config/fixed-limits.js';

interface Expected {
  readonly bytes: number;
  readonly weight: number;
}

const TURN = fixedLimits.grpcCallsPerTurn.value;
const SMALL: Expected = { bytes: 2_048, weight: 1 };
const SESSION: Expected = { bytes: 262_144, weight: TURN / 4 };
const REGISTRY: Expected = { bytes: 1_048_576, weight: TURN / 2 };
const SESSIONS: Expected = { bytes: fixedLimits.grpcAnswerBytesOfCaller.value, weight: TURN };

const LARGE: ReadonlyMap<string, Expected> = new Map([
  [methods.getSession.path, SESSION],
  [methods.listSessions.path, SESSIONS],
  [methods.getDecisionReceipt.path, SESSION],
  [methods.whatIfReplay.path, SESSIONS],
  [methods.listPolicies.path, REGISTRY],
  [methods.listModes.path, REGISTRY],
  [methods.listExtModes.path, REGISTRY],
]);

export function expectedAnswer(path: string): Expected {
  return LARGE.get(path) ?? SMALL;
}
