/** Every built-in mode. A new mode needs its folder and a line here. */
import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import type { RulesContext } from '../policy/rules.js';
import { mergeKeys, type RuleKeys } from '../policy/rules-reading.js';
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

export function extensionMode(descriptor: ModeDescriptor, strict: boolean): AnyMode {
  return eraseMode(createExtensionMode(descriptor, strict));
}

/** The reserved beginning that a client's message id has, if any. */
export function reservedPrefix(mode: AnyMode, messageId: string): string | undefined {
  return mode.reservedMessageIdPrefixes.find((prefix) => messageId.startsWith(prefix));
}

/** The mode at the start of a session that this policy governs. */
export function beginMode(mode: AnyMode, policy: FrozenPolicy): ModeRun {
  return mode.begin(policy.rules, rulesContext(mode.ruleKeys, policy));
}

const EVERY_KEY = Object.values(modes).reduce<RuleKeys>((keys, mode) => mergeKeys(keys, mode.ruleKeys), {});

/** How rules are to be read by a mode with these keys: a policy for every mode may use the keys of all. */
export function rulesContext(
  keys: RuleKeys,
  policy: Pick<FrozenPolicy, 'mode' | 'schemaVersion'>,
): RulesContext {
  return { keys: policy.mode === ANY_MODE ? EVERY_KEY : keys, schemaVersion: policy.schemaVersion };
}
