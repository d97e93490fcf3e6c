/** The fields of a message, or the values of an enum, as a table. */
import { codeCell, table, textCell } from '../tables.js';
import type { ProtoType } from './read-proto.js';

/** `linkTo`: where a type that a field holds is described, if that is elsewhere. */
export function fieldTable(
  { kind, fields }: ProtoType,
  linkTo: (holds: string) => string | undefined,
): string {
  if (fields.length === 0) return 'No fields.';
  if (kind === 'enum')
    return table(
      ['value', 'number', 'meaning'],
      fields.map(({ name, number, comment }) => [codeCell(name), String(number), textCell(comment)]),
    );
  return table(
    ['field', 'number', 'type', 'meaning'],
    fields.map(({ name, number, type, holds, comment }) => {
      const link = holds === undefined ? undefined : linkTo(holds);
      const shown = link === undefined ? codeCell(type) : `[${codeCell(type)}](${link})`;
      return [codeCell(name), String(number), shown, textCell(comment)];
    }),
  );
}
