import type { SessionStartPayload } from '@handover/core';
import { given, validateTexts } from '../arguments.js';
import { CONTEXT_EXTENSION_KEY } from '../constants.js';
import { buildSessionStartPayload } from '../envelope/build.js';
import { MacpSessionError } from '../errors.js';
import { validateBytes, validateRoots, validateSessionStart } from '../validation.js';
import type { StartInput } from './inputs.js';
import type { BoundVersions } from './versions.js';

/** The payload of a SessionStart; `bind` says what the mode makes of the participants that the caller named. */
export function startPayload(
  input: StartInput,
  bind: (named: readonly string[]) => readonly string[],
  versions: BoundVersions,
): SessionStartPayload {
  const { intent, participants, ttlMs, contextId, roots, maxSuspendMs } = input;
  const { modeVersion, configurationVersion, policyVersion } = versions;
  const bound = { modeVersion, configurationVersion, policyVersion };
  validateSessionStart({ intent, ttlMs, participants, ...bound, maxSuspendMs: maxSuspendMs ?? 0 });
  validateTexts({ contextId });
  validateRoots(roots);
  return buildSessionStartPayload({
    ...bound,
    intent,
    participants: bind(participants),
    ttlMs,
    extensions: extensionsOf(input),
    ...(roots && { roots }),
    ...(contextId !== undefined && { contextId }),
    ...(maxSuspendMs !== undefined && { maxSuspendMs }),
  });
}

function extensionsOf({ extensions = {}, context }: StartInput): Readonly<Record<string, Uint8Array>> {
  given('extensions', extensions);
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
