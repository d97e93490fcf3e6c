/**
 * The result of `resume` within its tokens. What is always there comes first, then lists (with it at most a quarter), then
 * entries that came later (at most a quarter); the rest is the brief's.
 */
import type { JsonObject, Rejection } from '@handover/core';
import { iso } from '../../../../platform/iso.js';
import { fieldFlaw } from '../../../../services/handoffs/field-flaw.js';
import type { Candidate, Resumed, Shown } from '../../../../services/handoffs/resume/types.js';
import { writtenBy } from '../../../../services/handoffs/shown/written-by.js';
import type { Outcome } from '../../../../services/outcome.js';
import type { ProjectTag } from '../../../../services/project.js';
import { shortText } from '../../short-text.js';
import { bytesOfTokens, fitting, jsonBytes, partOf, tokensOfBytes } from '../../token-room.js';
import { attachmentJson } from '../../translate.js';
import { briefIn, leastBriefBytes } from './brief-room.js';
import { deltaIn } from './delta-room.js';
import { soonWords } from './soon-words.js';
import { instructionFor, warningsFor } from './words.js';

export interface ResultOf {
  readonly agent: string;
  readonly maxTokens: number;
  /** The commit that the caller's folder stands at. */
  readonly head: string | undefined;
  /** Where the caller works. */
  readonly project?: ProjectTag | undefined;
  /** The caller is on the machine of the server. */
  readonly isLocal?: boolean;
}

/** `success` and `replayed`, which are put around it. */
const AROUND_BYTES = 64;
/** With this many tokens, whatever can be claimed has room. */
export const SURE_TOKENS = 4_000;
const MOST_INSTRUCTIONS = 1_000;
const TITLE_CHARACTERS = 80;
/** More than any number of an entry. */
const MOST = 99_999_999;

/** Too few tokens for what is about to be claimed: it is said before, because a refusal changes nothing. */
export async function tooFewTokens(shown: Shown, of: ResultOf): Promise<Rejection | undefined> {
  if (!shown.brief) return undefined;
  const frame = frameOf({ ...shown, others: [], elsewhere: MOST }, of);
  const fixed = AROUND_BYTES + jsonBytes(frame) + claimedBytes(shown);
  const room = bytesOfTokens(of.maxTokens) - fixed;
  const needed = await leastBriefBytes(shown.brief, room);
  return needed <= room ? undefined : tooFew(fixed + needed);
}

const tooFew = (bytes: number): Rejection =>
  fieldFlaw('maxTokens', `must be at least ${tokensOfBytes(bytes)} here`);

/** What may come in addition when it is claimed. */
const claimedBytes = ({ sessionKey = '', from = '' }: Shown): number =>
  512 + jsonBytes(sessionKey) + jsonBytes(from);

export async function resultOf(resumed: Resumed, of: ResultOf): Promise<Outcome<JsonObject>> {
  const { brief, sessionKey } = resumed;
  const cap = bytesOfTokens(of.maxTokens) - AROUND_BYTES;
  const frame = frameOf(resumed, of);
  const fixed = jsonBytes(frame);
  const least = brief ? await leastBriefBytes(brief, cap - fixed) : 0;
  // What was claimed stays claimed, so it is not refused any more.
  if (fixed + least > cap && !resumed.claimed) return { rejection: tooFew(AROUND_BYTES + fixed + least) };
  const laid = laidOut(resumed, frame, { cap, spare: cap - fixed - least });
  if (!brief) return { value: laid };
  const text = await briefIn(brief, cap - jsonBytes(laid) + jsonBytes(laid.brief));
  if (text) return { value: { ...laid, brief: text } };
  const { brief: _, ...rest } = laid;
  return { value: { ...rest, ...next(sessionKey, 0) } };
}

/** The frame with as much of the lists and of what came later as there is room for. */
function laidOut(
  { others, attachments, attachmentsTotal, delta, sessionKey }: Resumed,
  { next: _, attachmentsTotal: __, ...frame }: JsonObject,
  { cap, spare }: { readonly cap: number; readonly spare: number },
): JsonObject {
  const quarter = Math.floor(cap / 4);
  const listRoom = Math.min(spare, Math.max(quarter - jsonBytes(frame), Math.floor(quarter / 4)));
  const shownOthers = fitting(others.map(otherJson), listRoom);
  const listed = fitting(attachments.map(attachmentJson), listRoom - jsonBytes(shownOthers));
  const left = spare - jsonBytes(shownOthers) - jsonBytes(listed);
  const since = delta && deltaIn(delta, Math.min(left, quarter));
  return {
    ...frame,
    ...(since && { delta: since.delta }),
    attachments: listed,
    ...(attachmentsTotal > listed.length && { attachmentsTotal }),
    others: shownOthers,
    ...next(sessionKey, since?.after),
  };
}

/** Everything that is there however little room there is, with the most that may stand in it. */
function frameOf(resumed: Resumed, { agent, maxTokens, head, project, isLocal }: ResultOf): JsonObject {
  const { kind, yours, sessionKey, handoffId, from, owner, requestType, phase, git, elsewhere } = resumed;
  const { offeredAt, expiresAt, silentSince, instructions, brief, delta, attachmentsTotal } = resumed;
  const warnings = warningsFor(resumed, head, project);
  const provenance = writtenBy(resumed.authors ?? [], agent);
  const { entries: _, ...counted } = delta ?? {};
  return {
    kind,
    yours,
    ...(sessionKey !== undefined && { sessionKey }),
    ...(handoffId !== undefined && { handoffId }),
    ...(from !== undefined && { from }),
    ...(owner !== undefined && { owner }),
    ...(requestType !== undefined && { requestType }),
    ...(phase !== undefined && { phase }),
    ...(offeredAt !== undefined && { offeredAt: iso(offeredAt) }),
    // What was answered has no time any more.
    ...(expiresAt !== undefined && phase !== 'committed' && { expiresAt: iso(expiresAt) }),
    ...(silentSince !== undefined && { silentSince: iso(silentSince) }),
    ...(instructions !== undefined && saidToDo(instructions, maxTokens)),
    ...(brief && { brief: {} }),
    ...(delta && { delta: { ...(counted as JsonObject), ...(delta.entries && { entries: [] }) } }),
    ...(git && { git: { ...git, at: iso(git.at) } }),
    attachments: [],
    ...(attachmentsTotal > 0 && { attachmentsTotal }),
    others: [],
    elsewhere,
    ...(warnings.length > 0 && { warnings }),
    instruction: instructionFor(resumed) + soonWords(resumed, { agent, isLocal }),
    ...(delta?.entries && next(sessionKey, MOST)),
    ...(provenance !== undefined && { provenance }),
  };
}

/** At most an eighth of the answer. */
function saidToDo(instructions: string, maxTokens: number): JsonObject {
  const short = [...instructions.slice(0, 2 * MOST_INSTRUCTIONS)].slice(0, MOST_INSTRUCTIONS).join('');
  const part = partOf(short, 0, Math.floor(bytesOfTokens(maxTokens) / 8));
  const text = part?.text ?? '';
  return {
    instructions: text,
    ...(text.length < instructions.length && { instructionsLength: [...instructions].length }),
  };
}

const next = (sessionKey: string | undefined, afterSequence: number | undefined): JsonObject =>
  sessionKey === undefined || afterSequence === undefined
    ? {}
    : { next: { tool: 'readContext', arguments: { sessionKey, afterSequence } } };

const otherJson = ({ at, about: _, notes, title, ...rest }: Candidate): JsonObject => ({
  ...rest,
  ...(title !== undefined && shortText('title', title, TITLE_CHARACTERS)),
  ...(notes && { notes: notes.length }),
  at: iso(at),
});
