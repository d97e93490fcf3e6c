/** What the brief could not place of a note, for whoever wrote it. */
import type { JsonObject, NoteWarning } from '@handover/core';

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
    const message = `no kind of note is called ${JSON.stringify(given)}; known are ${known.join(', ')}`;
    return { code, entry, given, known, message };
  });
