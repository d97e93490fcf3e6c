import type { SessionStartPayload } from '@handover/core';
import { CONTEXT_EXTENSION_KEY } from '../constants.js';
import { buildSessionStartPayload } from '../envelope/build.js';
import { MacpSessionError } from '../errors.js';
import { validateBytes, validateSessionStart } from '../validation.js';
import type { BoundVersions } from './commitment.js';
import type { StartInput } from './inputs.js';

/** The payload of a SessionStart. The owner takes part even when the caller named only the others. */
export function startPayload(
  input: StartInput,
  sender: string,
  versions: BoundVersions,
): SessionStartPayload {
  const { intent, ttlMs, contextId, roots, maxSuspendMs } = input;
  const named = input.participants;
  validateSessionStart({ intent, ttlMs, participants: named, ...versions, maxSuspendMs: maxSuspendMs ?? 0 });
  const participants = sender === '' || named.includes(sender) ? named : [sender, ...named];
  if (sender !== '' && participants.length < 2)
    throw new MacpSessionError('participants must name a target besides the owner', 'participants');
  return buildSessionStartPayload({
    ...versions,
    intent,
    participants,
    ttlMs,
    extensions: extensionsOf(input),
    ...(roots && { roots }),
    ...(contextId !== undefined && { contextId }),
    ...(maxSuspendMs !== undefined && { maxSuspendMs }),
  });
}

function extensionsOf({ extensions = {}, context }: StartInput): Readonly<Record<string, Uint8Array>> {
  for (const [key, value] of Object.entries(extensions)) validateBytes(`extensions.${key}`, value);
  validateBytes('context', context);
  if (context === undefined) return extensions;
  if (Object.hasOwn(extensions, CONTEXT_EXTENSION_KEY))
    throw new MacpSessionError(
      `context is given twice: as such and as extensions.${CONTEXT_EXTENSION_KEY}`,
      'context',
    );
  return { ...extensions, [CONTEXT_EXTENSION_KEY]: context };
}
