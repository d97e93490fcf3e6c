/** create_operation_handoff: a general transaction for the person's own wallet. */
import { CallKind, type Fields, type Json, type JsonObject, type StepCall } from '@handover/core';
import { operationDigest, type PlainTransaction, plainTransaction, validateOperation } from '@handover/evm';
import type { Principal } from '../../../../auth/principal.js';
import { fixedLimits } from '../../../../config/fixed-limits.js';
import { mapOutcome, type Outcome } from '../../../outcome.js';
import { answered } from '../../answered.js';
import type { OperationDependencies } from '../../dependencies.js';
import { documentBytes } from '../../document.js';
import type { WantedStep } from '../../earlier.js';
import { invalidRequest } from '../../invalid-request.js';
import { idFor, issue } from '../../issue.js';
import { keyIn } from '../../key-refusal.js';
import { repeatable } from '../../repeatable.js';
import { transactionService } from './transaction.js';

export interface OperationArguments {
  readonly type: string;
  readonly network: string;
  readonly chainId: number;
  readonly summary?: JsonObject;
  readonly payload?: unknown;
  readonly validation?: unknown;
  readonly policy?: JsonObject;
  readonly steps?: readonly {
    readonly id?: string;
    readonly kind?: string;
    readonly label?: string;
    readonly txRequest?: JsonObject;
  }[];
  readonly ttlSeconds?: number;
  readonly idempotencyKey?: string;
  readonly replaces?: string;
}

/** The words stand at the beginning, if anywhere; a long text is not searched for a hint. */
const LOOKED_AT = 65_536;

/** The server always sets these, whatever the agent asks for. */
const FORCED_POLICY = { requiresUserSignature: true, serverMaySign: false, serverMaySubmit: false };

/**
 * Words of session starts. An operation whose summary, policy or steps hold one was probably meant for the other tool.
 */
const SESSION_WORDS = [
  'xgr_validatedatatransfer',
  'sessionpermit',
  'xdala_session_start',
  'xgr-session-start@1',
  'manage sessions',
  'start session',
  'ostcid',
];
const WRONG_TURN =
  'This reads like starting an XDaLa session. Use create_xdala_session_start_handoff for any start, run, launch, execute or queue of a session.';

export async function createOperation(
  deps: OperationDependencies,
  principal: Principal,
  args: OperationArguments,
): Promise<Outcome<JsonObject>> {
  const key = await keyIn(deps, args);
  if (key) return { rejection: key };
  const steps = (args.steps ?? []).map((step, i) => ({
    id: step.id ?? `step_${i + 1}`,
    kind: step.kind ?? 'transaction',
    label: step.label ?? `Step ${i + 1}`,
    ...(step.txRequest && { txRequest: step.txRequest }),
  }));
  const findings = validateOperation(args, steps);
  if (!findings.valid) return { rejection: invalidRequest('the operation is not valid', findings) };
  const { type, network, chainId, summary = {}, payload = null, validation } = args;
  const document = {
    type,
    network,
    chainId,
    summary,
    payload,
    ...(validation !== undefined && { validation }),
    policy: { ...args.policy, ...FORCED_POLICY },
    steps,
  } as unknown as JsonObject;
  const issued = await issue(deps, principal, transactionService, {
    id: idFor(deps, principal, transactionService, args.idempotencyKey),
    chainId,
    ...(args.ttlSeconds !== undefined && { ttlSeconds: args.ttlSeconds }),
    digest: operationDigest(chainId, { steps }, deps.codec),
    ...repeatable(args),
    steps: steps.map(({ id, txRequest }) => ({ id, ...(txRequest && askedOf(deps, txRequest)) })),
    document: documentBytes(deps.codec, document),
  });
  if ('rejection' in issued) return issued;
  const made = await answered(deps, transactionService, issued.value);
  return soundsLikeSession(args) ? mapOutcome(made, (view) => ({ ...view, warning: WRONG_TURN })) : made;
}

/** What a step does on the chain: how it is called and paid for does not matter. */
function askedOf(deps: OperationDependencies, txRequest: Fields): Omit<WantedStep, 'id'> & { asked: Json } {
  const plain = plainTransaction(txRequest);
  const { to = null, value, data, from } = plain;
  return {
    ...(from !== undefined && { from }),
    asked: { to, value: String(value), data },
    call: callOf(deps, plain),
  };
}

/** What a receipt says of it. */
function callOf({ codec }: OperationDependencies, { to, value, data }: PlainTransaction): StepCall {
  const isShort = (data.length - 2) / 2 <= fixedLimits.receiptCalldata.value;
  const short = isShort
    ? { data }
    : { dataDigest: `sha256:${codec.sha256(Buffer.from(data.slice(2), 'hex'))}` };
  const kind = to === undefined ? CallKind.Creation : data === '0x' ? CallKind.Transfer : CallKind.Call;
  return {
    kind,
    ...(to !== undefined && { to }),
    value: String(value),
    ...(data !== '0x' && short),
  };
}

function soundsLikeSession({ summary, policy, steps }: OperationArguments): boolean {
  const text = JSON.stringify({ summary, policy, steps }).slice(0, LOOKED_AT).toLowerCase();
  return SESSION_WORDS.some((word) => text.includes(word));
}
