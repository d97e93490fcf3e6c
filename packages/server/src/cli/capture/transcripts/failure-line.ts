/**
 * Of what a failed command said, the first line that says what failed. Clients put the exit code before it, and tools what
 * they are doing: neither helps anybody who goes on.
 */
import { stripVTControlCharacters } from 'node:util';
import { ERROR_WORDS } from '@handover/core';

const LOOKED_AT = 100_000;
const LINE = 2_000;

/** How programs that run tests begin a line about one that failed. */
const FAILED_TEST = /^\s*(?:FAIL\b|not ok\b|--- FAIL\b|[×✗✘✕●] |E {2,}\S)/;
const EXIT_CODE =
  /^(?:error: )?(?:process )?(?:command failed with )?exit(?:ed with)? (?:code|status):? -?\d+\.?$/i;
/** The error itself stands below it. */
const BEFORE_THE_ERROR = /^Traceback \(most recent call last\):$/;
/** Signs for tests that ran, bars, rulers with a title between them, and what npm repeats of the script. */
const PROGRESS = /^(?:[.FEsxX]+ *(?:\[ *\d+%\])?|\[[#=>. -]*\] *\d+%.*|([=_*~#-])\1{2,}.*|> .*)$/;

export function failureLine(text: string): string {
  const lines = stripVTControlCharacters(text.slice(0, LOOKED_AT))
    .split('\n')
    // What is drawn over a line is what stands there in the end.
    .map((line) => (line.trimEnd().split('\r').at(-1) ?? '').slice(0, LINE))
    .filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => !isEmptyTalk(line.trim()));
  return telling.find(isAboutFailure) ?? telling[0] ?? lines[0] ?? '';
}

const isEmptyTalk = (line: string): boolean =>
  !FAILED_TEST.test(line) && [EXIT_CODE, BEFORE_THE_ERROR, PROGRESS].some((one) => one.test(line));

const isAboutFailure = (line: string): boolean => FAILED_TEST.test(line) || ERROR_WORDS.test(line);
