/** What `resume` says itself, beside what others wrote. */
import { type JsonObject, RequestType } from '@handover/core';
import { iso } from '../../../../platform/iso.js';
import type { Shown, ShownNote, Standing } from '../../../../services/handoffs/resume/types.js';
import { shownName, shownWords } from '../../../../services/handoffs/shown/words.js';
import type { ReturnedOffer } from '../../../../services/handoffs/types.js';
import type { ProjectTag } from '../../../../services/project.js';
import { shortText } from '../../short-text.js';

type Told = Pick<
  Shown,
  | 'kind'
  | 'yours'
  | 'phase'
  | 'requestType'
  | 'owner'
  | 'sessionKey'
  | 'standing'
  | 'claimed'
  | 'about'
  | 'notes'
>;

export function instructionFor(told: Told): string {
  const { kind, yours, phase, requestType } = told;
  if (kind === 'nothing') return 'Nothing waits for you here. listSessions shows what there is.';
  if (yours && phase === 'completed')
    return 'You closed it. With accept: true it is open again, and you go on; readContext reads it as it is.';
  if (yours) return ownWords(told);
  const isCopy = requestType === RequestType.ContextTransfer;
  if (told.about !== undefined) return noteWords(told.about, phase);
  if (phase === 'accepted' && isCopy) return 'You have accepted it; the work stays with its owner.';
  if (phase === 'accepted') return 'You have accepted it; it is yours when its owner commits.';
  if (kind === 'shared') return SHARED;
  if (kind === 'received' && requestType !== RequestType.FullHandoff)
    return 'You have it to read; the work stays with its owner. With accept: true it is not shown again.';
  if (phase === 'committed' && requestType === RequestType.Collaboration) return SHARED;
  // Work that the caller had, and that another has by now.
  if (phase === 'committed' && requestType === RequestType.FullHandoff && told.owner !== undefined)
    return `You had it; the session belongs to ${shownName(told.owner)} now.`;
  if (phase === 'committed') return 'You have it to read; the work stays with its owner.';
  if (kind === 'left' || kind === 'silent')
    return `Nobody handed it over, and nothing is claimed yet. To take it, if the user wants you to go on: ${callOf(told.sessionKey ?? '', 'take')}.`;
  if (isCopy)
    return 'It is for you to read; the work stays with its owner. accept: true says that you have it; declineHandoff refuses it.';
  if (requestType === RequestType.Collaboration)
    return 'With accept: true you may write to it, too; the work stays with its owner. declineHandoff refuses the offer.';
  if (kind === 'parked')
    return 'It was left for you or for whoever comes next. With accept: true it becomes yours.';
  return 'With accept: true it becomes yours; declineHandoff refuses the offer.';
}

const SHARED = 'You may write to it, too: record with updateContext. The work stays with its owner.';

/** Of the caller's own work: what is not claimed is not begun, and it says which call goes on. */
function ownWords({ sessionKey = '', standing, claimed, notes = [] }: Told): string {
  const { isAt, isLeft, offered } = standing ?? { isAt: false, isLeft: false };
  if (claimed || (isAt && !isLeft && notes.length === 0)) {
    const until = offered
      ? ` until ${shownName(offered.to)} ${offered.isAccepted ? 'has it' : 'accepts'}`
      : '';
    return `It is yours${until}. Begin with the next step; record with updateContext.`;
  }
  const left = isLeft ? ' Until then it is left for whoever resumes next.' : '';
  return `It is your own, and nothing is claimed yet. To go on with it: ${callOf(sessionKey)}.${left}`;
}

/** As it stands; a key that cannot be shown as it is stands in no call. */
function callOf(sessionKey: string, how: 'accept' | 'take' = 'accept'): string {
  const key = JSON.stringify(sessionKey);
  return shownWords(sessionKey) === key
    ? `resume {"sessionKey": ${key}, "${how}": true}`
    : `resume with its sessionKey and ${how}: true`;
}

function noteWords(about: string, phase: Told['phase']): string {
  const work = shownName(about);
  return phase === 'committed'
    ? `It is a note on ${work}, and you have it. To go on with that work, if it is yours: ${callOf(about)}.`
    : `It is a note on ${work}. With accept: true it stands there, if that work is yours; declineHandoff refuses it.`;
}

/** What the caller should know before it goes on. */
export function warningsFor(
  { kind, yours, from, git, silentSince, takenFrom, standing, notes = [], returned = [], project }: Shown,
  headNow: string | undefined,
  here?: ProjectTag,
): readonly JsonObject[] {
  const warnings: JsonObject[] = [];
  const before = kind === 'silent' ? from : takenFrom;
  if (before !== undefined && yours && silentSince !== undefined) {
    const message = 'it may still run in another window: look at git status before you write';
    warnings.push({ code: 'TAKEN_OVER', from: before, silentSince: iso(silentSince), message });
  }
  if (git?.head !== undefined && headNow !== undefined && !headNow.startsWith(git.head)) {
    const message = 'the folder stands at another commit than when the work was captured last';
    warnings.push({ code: 'HEAD_MOVED', was: git.head, is: headNow, message });
  }
  if (project && here && project.id !== here.id) {
    const message = `it belongs to project ${shownName(project.name)}, and this window works in ${shownName(here.name)}`;
    warnings.push({ code: 'OTHER_PROJECT', project: project.name, message });
  }
  return [...warnings, ...standingJson(standing), ...notes.map(noteJson), ...returnedJson(returned)];
}

/** Whoever goes on with work is to know who else may get it. */
function standingJson(standing: Standing | undefined): readonly JsonObject[] {
  const warnings: JsonObject[] = [];
  if (standing?.tookBack) {
    const message =
      'you had left it for whoever resumes next; it is yours alone again. When you stop, handOff leaves it once more';
    warnings.push({ code: 'NO_LONGER_LEFT', message });
  }
  if (standing?.otherWindow) {
    const { instance } = standing.otherWindow;
    const at = iso(standing.otherWindow.at);
    const message = `another window of yours (${instance}) wrote to it at ${at} and is still open: two would go on with one work. Ask the user which one does; for other work, registerSession opens a session`;
    warnings.push({ code: 'OTHER_WINDOW', instance, at, message });
  }
  if (standing?.offered) {
    const { to, handoffId, isAccepted } = standing.offered;
    const who = shownName(to);
    const how = isAccepted
      ? `${who} accepted it, and has it when you say commitHandoff`
      : `it is offered to ${who}, and is no longer yours when ${who} accepts`;
    const message = `${how}; cancelHandoff keeps it`;
    warnings.push({ code: 'OFFERED', to, ...(handoffId !== undefined && { handoffId }), message });
  }
  return warnings;
}

function noteJson({ from, handoffId, text, isAdded }: ShownNote): JsonObject {
  if (isAdded)
    return {
      ...{ code: 'NOTE_ADDED', from },
      message: `${shownName(from)}, who had this work before, sent a note: it stands in the session and its brief now`,
    };
  const message = 'of one who had this work before; with accept: true it stands in the session';
  return {
    ...{ code: 'NOTE_WAITS', from, ...(handoffId !== undefined && { handoffId }) },
    ...shortText('text', text),
    message,
  };
}

/** It is told as long as it is so: whoever opens the work again is to know that nobody else has it. */
const returnedJson = (returned: readonly ReturnedOffer[]): readonly JsonObject[] =>
  returned
    .filter(({ stillLeft }) => !stillLeft)
    .map(({ phase, to, handoffId, answerReason, instruction }) => ({
      code: phase === 'declined' ? 'OFFER_DECLINED' : 'OFFER_EXPIRED',
      ...{ to, handoffId },
      ...(answerReason !== undefined && shortText('reason', answerReason)),
      message: instruction,
    }));
