import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileChange } from './plan-files.js';

/** As `diff -u` writes it. A file that is not there is /dev/null. */
export function unifiedDiff({ file: { path, text }, after }: FileChange): string {
  if (text === after) return '';
  const nameOf = (there: string | undefined) => (there === undefined ? '/dev/null' : path);
  const names = [nameOf(text), nameOf(after)] as const;
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(...names, text ?? '', after ?? '', undefined, undefined, options);
}
