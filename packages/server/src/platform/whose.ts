/** Whose a file or folder is, and who else may use it. A system without users, such as Windows, has nobody else. */
import type { Stats } from 'node:fs';

export const isOurs = ({ uid }: Pick<Stats, 'uid'>): boolean =>
  process.getuid === undefined || process.getuid() === uid;

export const isOpenToOthers = (stats: Pick<Stats, 'mode'>): boolean => othersMay(stats, 0o077);

export const isWritableByOthers = (stats: Pick<Stats, 'mode'>): boolean => othersMay(stats, 0o022);

const othersMay = ({ mode }: Pick<Stats, 'mode'>, bits: number): boolean =>
  process.getuid !== undefined && (mode & bits) !== 0;
