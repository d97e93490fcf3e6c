/** The clients whose hooks we are called by, and the events that they tell. This file loads nothing: hooks start with it. */

export const CLIENTS = ['claude', 'codex'] as const;
export type HookClient = (typeof CLIENTS)[number];

export const HOOK_EVENTS = ['session-start', 'pre-compact', 'stop', 'stop-failure', 'session-end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const clientNamed = (name: unknown): HookClient | undefined => CLIENTS.find((known) => known === name);

/** `SessionStart` is what the clients themselves call `session-start`. */
export function eventNamed(name: string): HookEvent | undefined {
  const plain = name.replaceAll('-', '').toLowerCase();
  return HOOK_EVENTS.find((known) => known.replaceAll('-', '') === plain);
}

/** As the clients call it, and so as it is stored. */
export const clientsNameOf = (event: HookEvent): string =>
  event.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What other programs say of themselves when they run the hooks of Claude Code's settings. */
const FOREIGN = ['cursor_version', 'conversation_id', 'hookEventName', 'sessionId'];

export const isForeign = (payload: Readonly<Record<string, unknown>>): boolean =>
  FOREIGN.some((field) => Object.hasOwn(payload, field));
