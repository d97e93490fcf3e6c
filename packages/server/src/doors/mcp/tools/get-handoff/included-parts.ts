/** What getHandoff includes: read first, then as much of it as there is room for. */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../../auth/principal.js';
import { LongWork } from '../../../../platform/long-work.js';
import type { HandoffService } from '../../../../services/handoffs/types.js';
import type { Outcome } from '../../../../services/outcome.js';
import type { GetHandoffArgs } from '../get-handoff.js';
import { fitParts } from './fit-parts.js';

const DEFAULT_LIMIT = 50;

export async function includedParts(
  handoffs: HandoffService,
  principal: Principal,
  args: GetHandoffArgs,
  /** What stands in the result before. */
  frame: JsonObject,
  bytes: number,
): Promise<Outcome<JsonObject>> {
  const { handoffId, include = [], afterSequence = 0, limit = DEFAULT_LIMIT } = args;
  const wanted = new Set(include);
  const page = wanted.has('entries') ? { limit, bytes } : { limit: 1, bytes: 0 };
  const got = include.some((part) => part !== 'receipt')
    ? await handoffs.getPackage(principal, { handoffId, afterSequence, ...page })
    : undefined;
  if (got && 'rejection' in got) return got;
  const proof = wanted.has('receipt') ? await handoffs.getReceipt(principal, handoffId) : undefined;
  if (proof && 'rejection' in proof) return proof;
  const parts = { ...(got && { got: got.value }), ...(proof && { receipt: proof.value }) };
  return { value: await new LongWork().run(fitParts(args, parts, frame, bytes)) };
}
