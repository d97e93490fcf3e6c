/** Every built-in mode. A new mode needs its folder and a line here. */
import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import { mergeKeys, type RuleKeys } from '../policy/rules-reading.js';
import { RulesRev } from '../policy/rules-rev.js';
import { decisionMode } from './decision/decision-mode.js';
import { DECISION_MODE } from './decision/messages.js';
import { type AnyMode, type ErasedMode, eraseMode, type ModeRun } from './erase-mode.js';
import { createExtensionMode } from './extension/extension-mode.js';
import { handoffMode } from './handoff/handoff-mode.js';
import { HANDOFF_MODE } from './handoff/messages.js';
import type { ModeDescriptor } from './mode.js';
import { MULTI_ROUND_MODE } from './multi-round/messages.js';
import { multiRoundMode } from './multi-round/multi-round-mode.js';
import { PROPOSAL_MODE } from './proposal/messages.js';
import { proposalMode } from './proposal/proposal-mode.js';
import { QUORUM_MODE } from './quorum/messages.js';
import { quorumMode } from './quorum/quorum-mode.js';
import { TASK_MODE } from './task/messages.js';
import { taskMode } from './task/task-mode.js';

/** Names that the protocol keeps for itself. */
export const STANDARD_PREFIX = 'macp.mode.';

const modes = {
  [DECISION_MODE]: eraseMode(decisionMode),
  [PROPOSAL_MODE]: eraseMode(proposalMode),
  [TASK_MODE]: eraseMode(taskMode),
  [HANDOFF_MODE]: eraseMode(handoffMode),
  [QUORUM_MODE]: eraseMode(quorumMode),
  [MULTI_ROUND_MODE]: eraseMode(multiRoundMode),
};

export type { AnyMode, ModeRun };
export type ModeName = keyof typeof modes;

/** The payloads of each built-in mode, by mode and message type. */
export type ModePayloads = {
  [M in ModeName]: (typeof modes)[M] extends ErasedMode<infer Payloads> ? Payloads : never;
};

export const BUILT_IN_MODES: ReadonlyMap<string, AnyMode> = new Map<string, AnyMode>(Object.entries(modes));

export function extensionMode(
  descriptor: ModeDescriptor,
  strict: boolean,
  commitBy: AnyMode['commitBy'] = 'initiator',
): AnyMode {
  return eraseMode(createExtensionMode(descriptor, strict, commitBy));
}

/** The reserved beginning that a client's message id has, if any. */
export function reservedPrefix(mode: AnyMode, messageId: string): string | undefined {
  return mode.reservedMessageIdPrefixes.find((prefix) => messageId.startsWith(prefix));
}

/** The mode at the start of a session that this policy governs. The policy may have been registered by any rules. */
export function beginMode(mode: AnyMode, policy: FrozenPolicy): ModeRun {
  return mode.begin(policy.rules, ruleKeysFor(mode, policy, RulesRev.First));
}

type ModeKeys = Pick<AnyMode, 'ruleKeys' | 'olderRuleKeys'>;

const keysOf = ({ ruleKeys, olderRuleKeys = {} }: ModeKeys, rev: RulesRev): RuleKeys =>
  rev === RulesRev.First ? mergeKeys(ruleKeys, olderRuleKeys) : ruleKeys;
const everyKey = (rev: RulesRev): RuleKeys =>
  Object.values(modes).reduce<RuleKeys>((keys, mode) => mergeKeys(keys, keysOf(mode, rev)), {});
const EVERY_KEY = {
  [RulesRev.First]: everyKey(RulesRev.First),
  [RulesRev.Closed]: everyKey(RulesRev.Closed),
  [RulesRev.Newest]: everyKey(RulesRev.Newest),
};

/** The keys that the rules of a policy may have: one for every mode may use those of all. */
export function ruleKeysFor(mode: ModeKeys, policy: Pick<FrozenPolicy, 'mode'>, rev: RulesRev): RuleKeys {
  return policy.mode === ANY_MODE ? EVERY_KEY[rev] : keysOf(mode, rev);
}
