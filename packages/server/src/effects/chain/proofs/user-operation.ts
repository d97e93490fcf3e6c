/** An EntryPoint that is known says that the operation of the account came to nothing (review:V2). */
import type { Inner, Shown } from './shown.js';

export function showByUserOperation({ executions }: Inner): Shown | undefined {
  const own = executions.filter(({ kind }) => kind === 'userop');
  return own.length > 0 && own.every(({ success }) => !success) ? { kind: 'failed' } : undefined;
}
