import { FaultCode, HandoverError } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { ExitCode } from './exit-code.js';
import { CommandFailure, failureOf, notFound, settingsOf } from './failure.js';
import { failureJson, failureText } from './report.js';

describe('a failure', () => {
  it('console:L6 is one sentence for what, one for the way out, and a code', () => {
    expect(failureText(notFound('there is no x', 'Look at y'))).toBe(
      'handover: there is no x. Look at y   [NOT_FOUND]\n',
    );
    expect(failureText(notFound('there is no x'))).toBe('handover: there is no x   [NOT_FOUND]\n');
  });

  it('console:L4 is one JSON document where JSON was asked for', () => {
    expect(JSON.parse(failureJson(notFound('there is no x', 'Look at y')))).toEqual({
      error: { code: 'NOT_FOUND', message: 'there is no x', fix: 'Look at y', exit: 3 },
    });
  });

  it('keeps the lines of a list and lets nothing else move the cursor', () => {
    const failure = new CommandFailure(
      ExitCode.Usage,
      'CONFIGURATION',
      'two are wrong\n  A: \u001b[2Jx\n  B: y',
    );
    expect(failureText(failure)).toBe(
      'handover: two are wrong   [CONFIGURATION]\n  A: \\u{1b}[2Jx\n  B: y\n',
    );
  });

  it('of a thing nobody foresaw quotes nothing of it', () => {
    const failure = failureOf(new Error('token=hunter2'));
    expect(failureText(failure)).toBe(
      'handover: an internal error occurred. --debug shows where   [INTERNAL]\n',
    );
    expect(failure.exit).toBe(ExitCode.Failed);
  });

  it('of a setting is wrong usage; of anything else that is configured it is a refusal', () => {
    const wrong = new HandoverError(FaultCode.CONFIGURATION, 'a setting is wrong');
    const throwing = () => {
      throw wrong;
    };
    expect(() => settingsOf(throwing)).toThrow(expect.objectContaining({ exit: ExitCode.Usage }));
    expect(failureOf(wrong).exit).toBe(ExitCode.Failed);
  });
});
