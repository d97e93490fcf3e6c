/** Every built-in mode: a new one is its folder and its line here. */
import { handoffMode } from './handoff/handoff-mode.js';
import { HANDOFF_MODE } from './handoff/messages.js';
import type { Mode } from './mode.js';

/** A mode whose state type is its own business; the session never looks inside. */
export type AnyMode = Mode<unknown>;

// Each mode only ever receives states that it made itself, so forgetting their type here is safe.
const erase = <State>(mode: Mode<State>): AnyMode => mode as unknown as AnyMode;

export const BUILT_IN_MODES: ReadonlyMap<string, AnyMode> = new Map([[HANDOFF_MODE, erase(handoffMode)]]);

export { erase as eraseModeState };

/** The reserved beginning that a client's message id has, if any. */
export function reservedPrefix(mode: AnyMode, messageId: string): string | undefined {
  return mode.reservedMessageIdPrefixes.find((prefix) => messageId.startsWith(prefix));
}
