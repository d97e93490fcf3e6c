/** What whoever wrote an entry should know of it: what the brief could not place, what looks like a secret, who else writes. */
import { type JsonObject, type NoteWarning, secretIn } from '@handover/core';
import { iso } from '../../platform/iso.js';
import type { UnknownTarget } from '../../services/agents/unknown-target.js';
import type { HandOffView } from '../../services/handoffs/hand-off-types.js';
import type { NewSession } from '../../services/handoffs/new-session.js';
import type { OtherWindow } from '../../services/handoffs/other-window.js';
import type { SessionWarning } from '../../services/handoffs/session-warnings.js';
import { shownName } from '../../services/handoffs/shown/words.js';
import type { OfferedTo } from '../../services/handoffs/types.js';
import { shortText } from './short-text.js';
import { bytesOfTokens, fitting } from './token-room.js';

/** More than these say nothing new. */
const MOST_WARNINGS = 20;
const MOST_CHARACTERS = 100;

export const noteWarningsJson = (warnings: readonly NoteWarning[]): readonly JsonObject[] =>
  warnings.slice(0, MOST_WARNINGS).map((warning) => {
    const { code, entry } = warning;
    const given = [...String(warning.given)].slice(0, MOST_CHARACTERS).join('');
    if (warning.code === 'SUPERSEDES_UNKNOWN')
      return { code, entry, given, message: `supersedes must name an earlier entry; ${given} is none` };
    const known = [...warning.known];
    const message = `no kind of note is called ${JSON.stringify(given)}; known are ${known.join(', ')}; say it again with metadata.supersedes ${entry}`;
    return { code, entry, given, known, message };
  });

/** It is only a hint, so long texts are not searched to their ends while others wait. */
const SEARCHED_CHARACTERS = 65_536;
const SEARCHED_IN_ALL = 131_072;

/** The entry is stored as it was sent: the log keeps it, so whoever sent it should make the secret worthless. */
export function secretWarningsJson(
  texts: Iterable<readonly [field: string, text: string]>,
): readonly JsonObject[] {
  const warnings: JsonObject[] = [];
  let room = SEARCHED_IN_ALL;
  for (const [field, text] of texts) {
    const searched = text.slice(0, Math.min(SEARCHED_CHARACTERS, room));
    room -= searched.length;
    const rule = secretIn(searched);
    if (rule === undefined) continue;
    const message = `${field} holds what looks like a secret (${rule}) and was stored as it is; replace the secret where it is used`;
    warnings.push({ code: 'SECRET_LIKE', rule, field, message });
  }
  return warnings;
}

export function otherWindowJson(other: OtherWindow | undefined): readonly JsonObject[] {
  if (!other) return [];
  const { instance } = other;
  const at = iso(other.at);
  const message = `another window of yours (${instance}) wrote at ${at}; read what is new, and give expectedSequence if it matters`;
  return [{ code: 'OTHER_WINDOW', instance, at, message }];
}

export function offeredJson(offered: OfferedTo | undefined): readonly JsonObject[] {
  if (!offered) return [];
  const message = `it is offered to ${shownName(offered.to)}, and is no longer yours when ${shownName(offered.to)} accepts; cancelHandoff keeps it`;
  return [{ code: 'OFFERED', ...offered, message }];
}

/** Where the work went, when that is not what the caller may expect. */
export function placeWarningsJson({
  sessionKey,
  onlyYours,
  replaced,
  newSession,
}: Pick<HandOffView, 'sessionKey' | 'onlyYours' | 'replaced' | 'newSession'>): readonly JsonObject[] {
  const warnings: JsonObject[] = [];
  if (newSession) warnings.push({ code: 'NEW_SESSION', sessionKey, ...newSessionJson(newSession) });
  if (replaced) {
    const { goal, others, isAnothers } = replaced;
    const where = isAnothers ? 'that another window of yours is at' : 'that you had handed over';
    const what = ['goal', ...others.map(({ kind }) => kind)].join(', ');
    const message = `this went into the session ${where}, and replaced there: ${what}. If it is other work: handOff {sessionKey} says the old ones again; registerSession opens a session for this, then handOff with its sessionKey`;
    warnings.push({
      code: 'GOAL_REPLACED',
      ...shortText('was', goal),
      ...(others.length > 0 && {
        replaced: others.map(({ kind, was }) => ({ kind, ...shortText('was', was) })),
      }),
      sessionKey,
      message,
    });
  }
  if (onlyYours) {
    const message =
      'this server gives what is left without a name to nobody but its owner; name the receiver in to';
    warnings.push({ code: 'ONLY_YOURS', message });
  }
  return warnings;
}

function newSessionJson({ gone, shared, waiting, own = '' }: NewSession): JsonObject {
  if (shared) {
    const { sessionKey: was, owner } = shared;
    const message = `${shownName(was)}, which you were at, is the work of ${shownName(owner)}, who alone hands it over, so this is a session of its own. What belongs to ${shownName(was)}: say it there with updateContext`;
    return { was, owner, message };
  }
  if (waiting) {
    const { sessionKey: was, handoffId, goal } = waiting;
    const message = `${shownName(was)} is offered to the same agent with another goal and still waits, so this is a session of its own: two pieces of work. If it is the same work: say it again with that sessionKey, then cancelHandoff and closeSession for this one`;
    return { was, handoffId, ...shortText('goal', goal), message };
  }
  const message = 'no session was named and this window is at none, so this is a session of its own';
  if (!gone)
    return {
      own,
      message: `${message}. If it belongs to ${shownName(own)}: say it again with that sessionKey, then cancelHandoff and closeSession for this one`,
    };
  const { sessionKey: key, owner } = gone;
  const call = { to: owner, requestType: 'context_transfer', sessionKey: key };
  return {
    was: key,
    owner,
    message: `${shownName(key)}, which you were at, belongs to ${shownName(owner)} now, so this is a session of its own. If ${shownName(owner)} should know it for that work: say it with handOff ${JSON.stringify(call)}`,
  };
}

/** Of one entry, beside what its notes say. */
export function entryWarningsJson({
  tookBack,
  isEmpty,
}: {
  readonly tookBack?: true;
  readonly isEmpty?: true;
}): readonly JsonObject[] {
  const warnings: JsonObject[] = [];
  if (tookBack) {
    const message =
      'you had left it for whoever resumes next; with this entry it is yours alone again. When you stop, handOff leaves it once more';
    warnings.push({ code: 'NO_LONGER_LEFT', message });
  }
  if (isEmpty) {
    const message = 'content is empty and metadata.note says nothing: nobody learns anything from this entry';
    warnings.push({ code: 'EMPTY_ENTRY', message });
  }
  return warnings;
}

const KNOWN_BYTES = bytesOfTokens(300);

/** Where the caller may not know who is here, the warning is the same for a right name and a wrong one. */
export function unknownTargetJson(unknown: UnknownTarget | undefined, until: number): readonly JsonObject[] {
  if (!unknown) return [];
  const { target, onlyToCaller } = unknown;
  const known = fitting(unknown.known, KNOWN_BYTES);
  const who = onlyToCaller
    ? 'you have shared no work with that name: ask the person for the exact name of the agent'
    : 'nobody of that name was ever here';
  const message = `${who}. The offer waits until ${iso(until)}; cancelHandoff withdraws it`;
  return [{ code: 'TARGET_UNKNOWN', target, known, message }];
}

export const sessionWarningsJson = (warnings: readonly SessionWarning[]): readonly JsonObject[] =>
  warnings.map((warning) => ({ ...warning, message: messageOf(warning) }));

function messageOf(warning: SessionWarning): string {
  switch (warning.code) {
    case 'THIN':
      return `the receiver reads ${warning.characters} characters in all; say goal, next, decisions and what failed`;
    case 'NO_GOAL':
      return 'nothing says what is to be achieved; say it in goal';
    case 'NO_NEXT':
      return 'nothing says what comes next; say it in next';
    case 'NOTE_CUT':
      return `the brief shows ${warning.kind} shortened; readContext has all of it`;
  }
}

/** At most so many, and at most so many bytes; absent: there is nothing to say. */
export function warned(warnings: readonly JsonObject[], bytes = Number.POSITIVE_INFINITY): JsonObject {
  const shown = fitting(warnings.slice(0, MOST_WARNINGS), bytes);
  return shown.length > 0 ? { warnings: shown } : {};
}
