/** One capture: what the transcript and git say now, redacted, as it will be stored. Nothing is stored here. */
import { homedir } from 'node:os';
import type { HookClient } from './clients.js';
import { type DoneSoFar, doneSoFar, isWork } from './done-so-far.js';
import { entryText } from './entry-text.js';
import { gitPatch } from './git-patch.js';
import { gitText } from './git-text.js';
import { Redactor } from './redactor.js';
import { NOTHING_SAID } from './transcripts/conversation.js';
import { readTranscript, type TranscriptMark, type TranscriptRead } from './transcripts/read-transcript.js';
import { transcriptFolder } from './transcripts/transcript-file.js';

export interface CaptureSource {
  readonly client: HookClient;
  readonly event: string;
  readonly session: string;
  readonly transcript?: string | undefined;
  /** Whose git is looked at. */
  readonly folder?: string | undefined;
  /** Why the client stopped. */
  readonly reason?: string | undefined;
  readonly before?: TranscriptMark | undefined;
  /** With what git has not committed. */
  readonly diff?: boolean;
}

export interface CaptureEntry {
  readonly content: string;
  readonly metadata: { readonly capture: CaptureMetadata };
}

export type CaptureMetadata = {
  readonly v: 1;
  readonly client: HookClient;
  readonly event: string;
  readonly clientSession: string;
  readonly git?: string;
  readonly transcript?: {
    readonly bytes: number;
    readonly from: number;
    readonly to: number;
    readonly skipped?: number;
    readonly leftOut?: number;
  };
  readonly redacted?: Readonly<Record<string, number>>;
};

export interface Capture {
  readonly entry: CaptureEntry;
  /** What git has not committed, redacted. */
  readonly patch?: string;
  readonly mark?: TranscriptMark;
  /** The client's user asked twice, or a file was written: it is work, and no small talk. */
  readonly isWork: boolean;
  /** Absent: no transcript was read. */
  readonly done?: DoneSoFar;
  /** Why the transcript was not read. */
  readonly refused?: string;
}

export async function takeCapture(source: CaptureSource): Promise<Capture> {
  const { client, event, session, transcript, folder, reason, before, diff = false } = source;
  const home = process.env.HOME || homedir();
  const redactor = new Redactor(home);
  const read =
    transcript === undefined
      ? undefined
      : readTranscript(
          { client, path: transcript, folder: transcriptFolder(client, process.env, home), before },
          redactor,
        );
  const known = read && 'conversation' in read ? read : undefined;
  const conversation = known?.conversation ?? NOTHING_SAID;
  const git = folder === undefined ? undefined : await gitText(folder, redactor);
  const patch = diff && folder !== undefined ? await gitPatch(folder, redactor) : undefined;
  const capture: CaptureMetadata = {
    v: 1,
    client,
    event,
    clientSession: session,
    ...(git !== undefined && { git }),
    ...(known && { transcript: figures(known) }),
    ...(Object.keys(redactor.counts).length > 0 && { redacted: redactor.counts }),
  };
  return {
    entry: { content: entryText(conversation, reason) ?? '', metadata: { capture } },
    ...(patch !== undefined && { patch }),
    ...(known && { mark: markOf(known) }),
    isWork: isWork(conversation),
    ...(known && { done: doneSoFar(conversation) }),
    ...(read && 'refused' in read && { refused: read.refused }),
  };
}

function figures({ bytes, from, offset, skipped, leftOut }: TranscriptRead) {
  return { bytes, from, to: offset, ...(skipped > 0 && { skipped }), ...(leftOut > 0 && { leftOut }) };
}

const markOf = ({ path, offset, conversation }: TranscriptRead): TranscriptMark => ({
  path,
  offset,
  conversation,
});
