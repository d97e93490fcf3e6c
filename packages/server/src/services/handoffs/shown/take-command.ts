/** The command with which a person gives the work of one agent to another on this machine, without waiting for its silence. */

import { shellLine } from '@handover/core';

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._@:/+-]*$/;

/** Whether a shell reads it as one word that is no flag. */
export const isPlainWord = (text: string): boolean => PLAIN.test(text);

/** Undefined where a name could be read otherwise by a shell. */
export const takeCommand = (sessionKey: string, agent: string): string | undefined =>
  isPlainWord(sessionKey) && isPlainWord(agent)
    ? shellLine('take', [sessionKey], [['--to', agent], ['--now']])
    : undefined;
