/** What whoever hands a working session over should know of it: a reader who has seen nothing may not get far. */
import type { Gathered, NoteKind } from '@handover/core';

export type SessionWarning =
  | { readonly code: 'THIN'; readonly characters: number }
  | { readonly code: 'NO_GOAL' | 'NO_NEXT' }
  | { readonly code: 'NOTE_CUT'; readonly kind: NoteKind; readonly characters: number };

/** Less than this is hardly a handover. */
const THIN_CHARACTERS = 200;

export function sessionWarnings(gathered: Gathered): readonly SessionWarning[] {
  const { kinds, plain } = gathered;
  const characters = [...kinds.values()].reduce((sum, kind) => sum + kind.characters, plain.characters);
  return [
    ...(characters < THIN_CHARACTERS ? [{ code: 'THIN' as const, characters }] : []),
    ...(kinds.has('goal') ? [] : [{ code: 'NO_GOAL' as const }]),
  ];
}

/**
 * Of the notes that the entry with this number says. Who sends only context to read has no goal and no next step to give, and
 * a note on work that its reader has may be short.
 */
export function handOffWarnings(
  gathered: Gathered,
  number: number | undefined,
  what: 'work' | 'copy' | 'note',
): readonly SessionWarning[] {
  const cut = [...gathered.kinds].flatMap(([kind, { kept }]) =>
    kept
      .filter((note) => note.number === number && note.lost > 0)
      .map(({ characters }) => ({ code: 'NOTE_CUT' as const, kind: kind as NoteKind, characters })),
  );
  const warnings = [
    ...sessionWarnings(gathered),
    ...(gathered.kinds.has('next') ? [] : [{ code: 'NO_NEXT' as const }]),
  ];
  const isTold = ({ code }: SessionWarning) => what === 'work' || (what === 'copy' && code === 'THIN');
  return [...warnings.filter(isTold), ...cut];
}
