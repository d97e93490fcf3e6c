/** JSON texts that are cheap to send and dear to read. `bytes` is about how long they get. */
const filled = (bytes: number, part: string): string => part.repeat(Math.floor(bytes / part.length));
const listOf = (bytes: number, item: string): string => `[${filled(bytes, `${item},`).slice(0, -1)}]`;

export const brackets = (bytes: number): string => listOf(bytes, '[]');
export const braces = (bytes: number): string => listOf(bytes, '{}');
export const numbers = (bytes: number): string => listOf(bytes, '1e9');
export const escapes = (bytes: number): string => `"${filled(bytes, '\\u0041')}"`;
export const quotes = (bytes: number): string => `"${filled(bytes, '\\"')}"`;
export const smallStrings = (bytes: number): string => listOf(bytes, '"a"');
export const oneLongNumber = (bytes: number): string => `1${filled(bytes, '0')}`;

/** Side by side, each as deep as a body may be. */
export function deep(bytes: number, depth: number): string {
  const one = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return listOf(Math.max(bytes, one.length + 2), one);
}

/** One name again and again. */
export const sameKey = (bytes: number): string => `{${filled(bytes, '"a":1,').slice(0, -1)}}`;

export function keys(count: number, value: (n: number) => string = () => '1'): string {
  return `{${Array.from({ length: count }, (_, n) => `"k${n}":${value(n)}`).join(',')}}`;
}

/** An envelope for the HTTP door; the payload is JSON text. */
export function envelopeJson(messageType: string, payload: string): string {
  const head = {
    macp_version: '1.0',
    mode: 'macp.mode.handoff.v1',
    message_type: messageType,
    message_id: 'm1',
  };
  const rest = {
    session_id: '0191e7a4-3b1c-7d2e-8f3a-4b5c6d7e8f90',
    sender: '',
    timestamp: '2026-11-15T00:00:00.000Z',
  };
  return `${JSON.stringify({ ...head, ...rest }).slice(0, -1)},"payload":${payload}}`;
}

export const contextJson = (bytes: number): string =>
  envelopeJson(
    'HandoffContext',
    `{"handoff_id":"h1","content_type":"text/plain","context":"${Buffer.alloc(bytes).toString('base64')}"}`,
  );

/** A start with a list or a map that fills the body. */
export const startJson = (field: string): string =>
  envelopeJson(
    'SessionStart',
    `{"intent":"x","mode_version":"1.0.0","configuration_version":"c","policy_version":"","ttl_ms":60000,${field}}`,
  );
