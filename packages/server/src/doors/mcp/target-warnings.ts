/** What whoever hands work over should know of the receiver that it named. */
import type { JsonObject } from '@handover/core';
import type { UnknownTarget } from '../../services/agents/unknown-target.js';
import type { HandOffView } from '../../services/handoffs/hand-off-types.js';
import { shownName } from '../../services/handoffs/shown/words.js';
import { unknownTargetJson } from './note-warnings.js';

interface Named {
  readonly given: string | undefined;
  /** The caller. */
  readonly self: string;
  readonly unknown: UnknownTarget | undefined;
}

export function targetWarningsJson(
  { given, self, unknown }: Named,
  handed: HandOffView,
): readonly JsonObject[] {
  const { to, replacedTarget, onlyYours, sessionKey } = handed;
  const went = to ?? self;
  // A retry answers with what the first request did, before anybody of that name came.
  const isResolved = given !== undefined && unknown?.meant === went;
  const warnings: JsonObject[] = [];
  if (isResolved) {
    const message = `nobody is called ${shownName(given)} here; it went to ${shownName(went)}`;
    warnings.push({ code: 'TARGET_RESOLVED', target: given, to: went, message });
  } else warnings.push(...unknownTargetJson(unknown, handed.expiresAt));
  if (replacedTarget) {
    const message = `the offer to ${shownName(replacedTarget.was)} is withdrawn: nobody of that name was ever here`;
    warnings.push({ code: 'TARGET_REPLACED', ...replacedTarget, message });
  }
  const isToSelf = given === self || (isResolved && went === self);
  if (isToSelf && !onlyYours) {
    const call = `cancelHandoff ${JSON.stringify({ sessionKey })}`;
    const message = `${shownName(self)} is you, so it is left as without to: whoever resumes next in this project may take it. To keep it: ${call}; your next resume finds your own work in any case`;
    warnings.push({ code: 'LEFT_FOR_ANYONE', message });
  }
  return warnings;
}
