/**
 * A session that the owner of a working session opened moves that working session when it ends. The session records the
 * binding; `BoundWork` does what follows from it.
 */
import type { Json, JsonObject } from '../log/json.js';

/** Only the server binds, never a client, so the binding is part of the command and not of the envelope. */
export interface SessionBinding {
  readonly worklog: string;
  readonly requestType: string;
  /** The number of the last context entry that is handed over. */
  readonly upTo: number;
  /** The runtime commits for the owner as soon as the target has answered. */
  readonly autoCommit: boolean;
  /** Whether the owner said so, or said nothing; absent on what was written before this was recorded. */
  readonly chosen?: 'argument' | 'default';
  /** The instruction of the working session by which the target picks it up. */
  readonly standing?: number;
  /** Set when the work is taken from this owner, who does not take part; the operator is the initiator. */
  readonly takeOver?: BoundTakeOver;
}

export interface BoundTakeOver {
  readonly from: string;
  readonly silentSince: number;
  readonly policy: string;
}

/** A word for the rule, besides the flag: receipts and people read it. */
export const commitWord = ({ autoCommit }: SessionBinding): 'on-accept' | 'by-owner' =>
  autoCommit ? 'on-accept' : 'by-owner';

export function bindingFacts(binding: SessionBinding): JsonObject {
  const { worklog, requestType, upTo, autoCommit, chosen, standing, takeOver } = binding;
  return {
    worklog,
    request_type: requestType,
    up_to: upTo,
    auto_commit: autoCommit,
    ...(chosen && { commit: commitWord(binding), chosen }),
    ...(standing !== undefined && { standing }),
    ...(takeOver && {
      authority: 'operator',
      from: takeOver.from,
      silent_since: takeOver.silentSince,
      policy: takeOver.policy,
    }),
  };
}

export function bindingFromFacts(facts: JsonObject): SessionBinding {
  const { chosen, standing, authority, from, silent_since, policy } = facts;
  return {
    worklog: String(facts.worklog),
    requestType: String(facts.request_type),
    upTo: Number(facts.up_to),
    autoCommit: facts.auto_commit === true,
    ...(isChosen(chosen) && { chosen }),
    ...(standing !== undefined && { standing: Number(standing) }),
    ...(authority !== undefined && {
      takeOver: { from: String(from), silentSince: Number(silent_since), policy: String(policy) },
    }),
  };
}

const isChosen = (value: Json | undefined): value is 'argument' | 'default' =>
  value === 'argument' || value === 'default';
