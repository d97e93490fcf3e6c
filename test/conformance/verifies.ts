import type { RequirementId } from './requirements.js';

/**
 * Says which requirements a test proves: `it(verifies('commit:1:authority') + 'refuses a stranger', ...)`, or a bare
 * call at the top of a test. It returns a prefix for the test's name. Coverage reads the source text, so ids must be
 * string literals.
 */
export function verifies(...ids: readonly [RequirementId, ...RequirementId[]]): string {
  return `[${ids.join(' ')}] `;
}
