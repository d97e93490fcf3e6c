import {
  HANDOFF_MODE,
  HANDOVER_RULES,
  isFields,
  type Json,
  type JsonObject,
  readHandoffRules,
  readRecordedHandoffRules,
} from '@handover/core';
import { validateTexts } from '../arguments.js';
import type { PolicyDescriptor } from '../client/types.js';
import { MacpSessionError } from '../errors.js';
import { validateId } from '../validation.js';
import { blocksIn } from './build-policy.js';

/** Who may bind the outcome, and what happens when a target stays silent. */
export interface HandoffPolicyRules {
  /** What happens when a target says nothing. */
  readonly acceptance?: {
    /** After so long a silent target has accepted; 0 is never. */
    readonly implicitAcceptTimeoutMs?: number;
    /** After so long a silent target has declined; 0 is never. Excludes the other time-out. */
    readonly implicitDeclineTimeoutMs?: number;
  };
  /** Who may commit, and what it takes. */
  readonly commitment?: {
    readonly authority?: 'initiator_only' | 'any_participant' | 'designated_role';
    /** Senders who may commit under `designated_role`. */
    readonly designatedRoles?: readonly string[];
    /** A rule of other modes: true is refused here. */
    readonly requireVoteQuorum?: boolean;
    /** Lets a session end with a negative outcome although nobody was asked. */
    readonly allowNoTarget?: boolean;
  };
}

/** A policy for Handoff sessions, ready for `registerPolicy`; rules that contradict themselves are refused here. */
export function buildHandoffPolicy(
  policyId: string,
  description: string,
  blocks: HandoffPolicyRules = {},
): PolicyDescriptor {
  validateId('policyId', policyId);
  validateTexts({ description });
  const { acceptance = {}, commitment = {} } = blocksIn(blocks);
  const { implicitAcceptTimeoutMs = 0, implicitDeclineTimeoutMs } = acceptance;
  const {
    authority = 'initiator_only',
    designatedRoles = [],
    requireVoteQuorum = false,
    allowNoTarget,
  } = commitment;
  const rules: JsonObject = {
    acceptance: { implicit_accept_timeout_ms: implicitAcceptTimeoutMs },
    commitment: {
      authority,
      designated_roles: designatedRoles,
      ...(requireVoteQuorum && { require_vote_quorum: true }),
    },
    ...ownRules(implicitDeclineTimeoutMs, allowNoTarget),
  };
  const reading = readHandoffRules(rules);
  if ('flaws' in reading) throw new MacpSessionError(`rules: ${reading.flaws.join('; ')}`, 'rules');
  return { policyId, mode: HANDOFF_MODE, description, rules: JSON.stringify(rules), schemaVersion: 1 };
}

/** Rules that the protocol does not have stand under a key of our own; without any, other servers take the policy, too. */
function ownRules(declineMs: number | undefined, allowNoTarget: boolean | undefined): JsonObject {
  if (declineMs === undefined && allowNoTarget === undefined) return {};
  return {
    [HANDOVER_RULES]: {
      ...(declineMs !== undefined && { implicit_decline_timeout_ms: declineMs }),
      ...(allowNoTarget !== undefined && { allow_no_target: allowNoTarget }),
    },
  };
}

/** The time after which a policy declines in a silent target's name; 0 when it never does. */
export function implicitDeclineTimeoutOf(policy: PolicyDescriptor): number {
  return rulesOf(policy)?.implicitDeclineTimeoutMs ?? 0;
}

/** The time after which a policy answers, one way or the other, in a silent target's name; 0 when it never does. */
export function implicitAnswerTimeoutOf(policy: PolicyDescriptor): number {
  const rules = rulesOf(policy);
  return rules?.implicitAcceptTimeoutMs || rules?.implicitDeclineTimeoutMs || 0;
}

function rulesOf({ rules }: PolicyDescriptor) {
  try {
    const json = JSON.parse(rules) as Json;
    const reading = isFields(json) ? readRecordedHandoffRules(json) : undefined;
    return reading && 'rules' in reading ? reading.rules : undefined;
  } catch {
    return undefined;
  }
}
