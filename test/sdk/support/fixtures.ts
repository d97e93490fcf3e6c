/** The projection fixtures: transcripts and what a projection must say of them, shared with the Python SDK. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Envelope, envelopeFromJson } from '@handover/core';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';

export interface ExpectedOffer {
  readonly target_participant: string;
  readonly scope: string;
  readonly reason: string;
  readonly offered_by: string;
  readonly disposition: string;
  readonly implicit: boolean;
  readonly answered_by: string | null;
  readonly answer_reason: string | null;
}

export interface ProjectionFixture {
  readonly name: string;
  readonly about: string;
  readonly transcript: readonly unknown[];
  readonly expected: {
    readonly detailed_phase: string;
    readonly offers: Readonly<Record<string, ExpectedOffer>>;
    readonly contexts: Readonly<
      Record<string, readonly { content_type: string; context_b64: string; sender: string; late: boolean }[]>
    >;
    readonly commitment: Readonly<Record<string, unknown>> | null;
    readonly active_offer: string | null;
    readonly transcript_length: number;
  };
}

/** A transcript that a server delivered, and everything that a projection says of it. */
export interface ModeFixture {
  readonly name: string;
  readonly about: string;
  readonly transcript: readonly unknown[];
  readonly expected: Readonly<Record<string, unknown>>;
}

const folder = new URL('../projection-fixtures/', import.meta.url);

export function loadProjectionFixtures(): readonly ProjectionFixture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ProjectionFixture);
}

/** Those of all modes: a folder for each. */
export function loadModeFixtures(): readonly ModeFixture[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && dirname(file) !== '.')
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ModeFixture);
}

export function envelopesOf({ transcript }: Pick<ProjectionFixture, 'transcript'>): Envelope[] {
  return transcript.map((json) => {
    const reading = envelopeFromJson(json, nodeCodec);
    if ('rejection' in reading) throw new Error(reading.rejection.message);
    return reading.envelope;
  });
}
