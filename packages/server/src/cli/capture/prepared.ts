/**
 * What was captured for an event of the spool, before a server has it. A process that is killed in between leaves it, so
 * that the next one sends the same words under the same name.
 */
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { plainText } from '../../platform/plain-file.js';
import type { CaptureRequest, HookRequest } from '../../services/handoffs/capture-request.js';
import { type CapturedSession, isCapturedSession } from './captures-file.js';
import { type DoneSoFar, isDoneSoFar } from './done-so-far.js';
import { spoolFolder } from './spool.js';

export interface Prepared {
  /** Absent: there is nothing new to store. */
  readonly request?: CaptureRequest;
  readonly beat: HookRequest;
  /** What is known of the conversation once it is sent. */
  readonly captured: CapturedSession;
  /** What has been done, if the server stores it. */
  readonly done?: DoneSoFar;
}

const MAX_BYTES = 4 * 1_048_576;

export const preparedName = (name: string): string => `${name}.prepared`;

export function readPrepared(dataFolder: string, name: string): Prepared | undefined {
  const path = join(spoolFolder(dataFolder), preparedName(name));
  try {
    const value: unknown = JSON.parse(plainText(path, MAX_BYTES, 'own') ?? '');
    return isPrepared(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is damaged was never sent: it is prepared anew. */
const isPrepared = (value: unknown): value is Prepared =>
  isFields(value) &&
  isFields(value.beat) &&
  isCapturedSession(value.captured) &&
  (value.request === undefined || isFields(value.request)) &&
  (value.done === undefined || isDoneSoFar(value.done));

export function writePrepared(dataFolder: string, name: string, prepared: Prepared): void {
  writeFileAtomic(join(spoolFolder(dataFolder), preparedName(name)), JSON.stringify(prepared));
}
