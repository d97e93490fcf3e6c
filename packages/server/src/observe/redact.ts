/**
 * What the logger lets through. The rule is by name and by shape, at any depth, so that a careless call cannot leak:
 *
 * D1. A field whose name speaks of a credential or of content is replaced, whatever it holds.
 * D2. Bytes are shown as their number only.
 * D3. In every text, what looks like a bearer, a JWT or a fragment secret is replaced.
 * D4. Depth, width and length are bounded; a log line is not a place for data.
 */
const SENSITIVE =
  /authorization|token|secret|password|passphrase|cookie|credential|bearer|apikey|privatekey|mnemonic|seedphrase|payload|body|envelope|jwk/;
/** Names that are sensitive alone but not inside another word (`contextId` is an id). */
const SENSITIVE_EXACT = new Set(['context', 'contexts', 'summary', 'pem', 'seed', 'd', 'k']);
const SECRET_SHAPES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(Bearer)\s+\S+/gi, '$1 [redacted]'],
  // By length: "Handoff accepted" is a sentence, not a credential.
  [/\b(Handoff|Basic)\s+[\w+/=-]{16,}/g, '$1 [redacted]'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '[redacted]'],
  [/([?#&]k=)[^&#\s]+/g, '$1[redacted]'],
  [/(:\/\/)[^/@\s]+@/g, '$1[redacted]@'],
  [/-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*-----|$)/g, '[redacted]'],
];
const REDACTED = '[redacted]';
const MAX_DEPTH = 4;
const MAX_WIDTH = 50;
const MAX_TEXT = 2_048;

export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(fields, 0);
}

export function redactText(text: string): string {
  const bounded = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return SECRET_SHAPES.reduce(
    (clean, [pattern, replacement]) => clean.replace(pattern, replacement),
    bounded,
  );
}

export function isSensitiveName(name: string): boolean {
  const folded = name.toLowerCase().replace(/[_-]/g, '');
  return SENSITIVE_EXACT.has(folded) || SENSITIVE.test(folded);
}

function redactObject(source: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(source).slice(0, MAX_WIDTH);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSensitiveName(name) ? REDACTED : redactValue(value, depth + 1)]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date || value instanceof URL) return redactText(String(value));
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MAX_WIDTH).map((item) => redactValue(item, depth + 1));
  return redactObject(value, depth);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    message: redactText(error.message),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined || depth >= MAX_DEPTH
      ? {}
      : { cause: redactValue(error.cause, depth + 1) }),
  };
}
