/** The engine's hard limits (docs/spec/operations.md 5.5), checked before a person is asked to pay for a deployment. */
import { below, type Issues, utf8Length } from '@handover/core';

export const Limit = {
  ruleBytes: 131_072,
  ostcBytes: 262_144,
  payloadFields: 64,
  fieldName: 64,
  rules: 64,
  ruleExpression: 2_048,
  celSource: 1_024,
  apiCalls: 16,
  contractReads: 16,
  urlTemplate: 2_048,
  bodyTemplate: 8_192,
  extractMap: 64,
  saveAs: 64,
  outcomeKeys: 64,
  grants: 16,
  execArgs: 16,
  text: 8_192,
  steps: 128,
  stepId: 64,
  spawns: 32,
  joinInputs: 32,
} as const;

/**
 * What this server takes of one document. Each item becomes a step of the record, and a record takes 4,000 posts, so no
 * person could deploy more.
 */
export const BundleLimit = { bundles: 64, items: 512, id: 256 } as const;

const CODE = 'LIMIT_EXCEEDED';

/** False: there are too many, and they are not to be walked. */
export function count(issues: Issues, path: string, found: number, limit: number, what: string): boolean {
  if (found <= limit) return true;
  issues.error(CODE, path, `${found} ${what}; at most ${limit} are taken`);
  return false;
}

export function length(issues: Issues, path: string, text: unknown, limit: number): void {
  if (typeof text === 'string' && text.length > limit)
    issues.error(CODE, path, `${text.length} characters; at most ${limit} are taken`);
}

/** The schema takes more than the expression language. */
export function expression(issues: Issues, path: string, text: string): void {
  length(issues, path, text, Limit.ruleExpression);
  if (text.length <= Limit.ruleExpression && utf8Length(text) > Limit.celSource)
    issues.warn(CODE, path, `the expression language takes ${Limit.celSource} bytes`);
}

export function documentBytes(issues: Issues, path: string, document: unknown, limit: number): void {
  const bytes = utf8Length(JSON.stringify(document) ?? '');
  if (bytes > limit) issues.error(CODE, path, `${bytes} bytes; at most ${limit} are taken`);
}

/** Any text, at any depth. */
export function texts(issues: Issues, path: string, value: unknown): void {
  length(issues, path, value, Limit.text);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) texts(issues, below(path, key), member);
}
