/** Every built-in mode. A new mode needs its folder and a line here. */
import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import type { RulesContext } from '../policy/rules.js';
import { mergeKeys, type RuleKeys } from '../policy/rules-reading.js';
import { type AnyMode, type ErasedMode, eraseMode, type ModeRun } from './erase-mode.js';
import { createExtensionMode } from './extension/extension-mode.js';
import { handoffMode } from './handoff/handoff-mode.js';
import { HANDOFF_MODE } from './handoff/messages.js';
import type { ModeDescriptor } from './mode.js';

const modes = {
  [HANDOFF_MODE]: eraseMode(handoffMode),
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
  return mode.begin(policy.rules, rulesContext(mode, policy, 'recorded'));
}

/** `registered`: rules that somebody brings now. `recorded`: rules that were accepted, perhaps by an older version. */
export type RulesAge = 'registered' | 'recorded';
export type ModeKeys = Pick<AnyMode, 'ruleKeys' | 'olderRuleKeys'>;

const keysOf = ({ ruleKeys, olderRuleKeys = {} }: ModeKeys, age: RulesAge): RuleKeys =>
  age === 'registered' ? ruleKeys : mergeKeys(ruleKeys, olderRuleKeys);
const everyKey = (age: RulesAge): RuleKeys =>
  Object.values(modes).reduce<RuleKeys>((keys, mode) => mergeKeys(keys, keysOf(mode, age)), {});
const EVERY_KEY = { registered: everyKey('registered'), recorded: everyKey('recorded') };

/** How rules are to be read by a mode with these keys: a policy for every mode may use the keys of all. */
export function rulesContext(
  mode: ModeKeys,
  policy: Pick<FrozenPolicy, 'mode' | 'schemaVersion'>,
  age: RulesAge,
): RulesContext {
  const keys = policy.mode === ANY_MODE ? EVERY_KEY[age] : keysOf(mode, age);
  return { keys, schemaVersion: policy.schemaVersion };
}
