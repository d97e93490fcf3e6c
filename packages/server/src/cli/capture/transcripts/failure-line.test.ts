/** Which line of a failed command a capture keeps. */
import { expect, it } from 'vitest';
import { failureLine } from './failure-line.js';

it.each([
  // What says nothing: exit codes, progress, rulers, and the words before the error itself.
  ['Exit code 1\nF..\nE  AssertionError: cache grew to 101', 'E  AssertionError: cache grew to 101'],
  [
    'Error: Exit code 1\nFAIL login.test.ts: expected 429 got 200',
    'FAIL login.test.ts: expected 429 got 200',
  ],
  [
    '> shop@1.0.0 test\n> vitest run\n\n ✓ a.test.ts (3)\n ❯ b.test.ts (2)\n   × counts\nAssertionError: 2 is not 3',
    '   × counts',
  ],
  [
    '..F.s   [ 60%]\n=== FAILURES ===\n_____ test_cache _____\n    assert n < 100\nE   assert 101 < 100\nFAILED test_cache.py',
    'E   assert 101 < 100',
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no such day',
    'ValueError: no such day',
  ],
  ['compiling 3 files\n\u001b[31merror\u001b[0m: unused name', 'error: unused name'],
  ['npm notice 10% \rnpm notice 90%\rError: disk full', 'Error: disk full'],
  ['ok 1 - reads\nnot ok 2 - writes\n', 'not ok 2 - writes'],
  ['--- FAIL: TestCache (0.00s)', '--- FAIL: TestCache (0.00s)'],
  ['checking\nbash: foo: command not found', 'bash: foo: command not found'],
  // Nothing in it is called an error: the first line that says something.
  ['Exit code 2\n[####      ] 40%\nthe disk is full', 'the disk is full'],
  ['curl: (7) Failed to connect', 'curl: (7) Failed to connect'],
  // There is nothing but what says little.
  ['Exit code 137', 'Exit code 137'],
  ['\n \n', ''],
  ['Process exited with code 1\n..', 'Process exited with code 1'],
])('assistants:3.2 %j', (text, line) => {
  expect(failureLine(text)).toBe(line);
});

it('looks at no more than a bounded part of what was said', () => {
  const filler = `${'x'.repeat(99)}\n`.repeat(1_000);
  expect(failureLine(`begins\n${filler}${filler}Error: late`)).toBe('begins');
  const long = 'a'.repeat(100_000);
  const start = performance.now();
  failureLine(`${long}\n`.repeat(30));
  expect(performance.now() - start).toBeLessThan(1_000);
});
