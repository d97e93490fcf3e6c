/** A transcript, from where the last capture ended to its end. */
import { closeSync } from 'node:fs';
import type { HookClient } from '../clients.js';
import type { Redactor } from '../redactor.js';
import { readClaudeLine } from './claude-line.js';
import { readCodexLine } from './codex-line.js';
import { type Conversation, heard, NOTHING_SAID } from './conversation.js';
import type { ReadTranscriptLine } from './happening.js';
import { readLines } from './read-lines.js';
import { openTranscript } from './transcript-file.js';

const READERS: Readonly<Record<HookClient, ReadTranscriptLine>> = {
  claude: readClaudeLine,
  codex: readCodexLine,
};

/** How far a transcript was read, and what is known of it up to there. */
export interface TranscriptMark {
  readonly path: string;
  readonly offset: number;
  readonly conversation: Conversation;
}

export interface TranscriptRead extends TranscriptMark {
  readonly bytes: number;
  readonly from: number;
  /** Lines that were too long, or are not of this client's form. */
  readonly skipped: number;
  readonly leftOut: number;
  readonly bytesRead: number;
}

export interface TranscriptSource {
  readonly client: HookClient;
  readonly path: string;
  /** The client's own folder. */
  readonly folder: string;
  readonly before?: TranscriptMark | undefined;
}

export function readTranscript(
  { client, path, folder, before }: TranscriptSource,
  redactor: Redactor,
): TranscriptRead | { readonly refused: string } {
  const opened = openTranscript(path, folder);
  if ('refused' in opened) return opened;
  const { file, bytes } = opened;
  try {
    // A shorter file than before is another one.
    const goesOn = before?.path === path && before.offset <= bytes;
    const from = goesOn ? before.offset : 0;
    let conversation = goesOn ? before.conversation : NOTHING_SAID;
    let unread = 0;
    const lines = readLines(file, { from, bytes }, (line) => {
      const happenings = READERS[client](parsed(line));
      if (happenings === undefined) unread += 1;
      else for (const one of happenings) conversation = heard(conversation, one, redactor);
    });
    const { to: offset, tooLong, leftOut, bytesRead } = lines;
    return { path, offset, conversation, bytes, from, skipped: unread + tooLong, leftOut, bytesRead };
  } finally {
    closeSync(file);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
