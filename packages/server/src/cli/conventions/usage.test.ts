import { expect, it } from 'vitest';
import { COMMANDS } from '../command-table.js';
import { programFor } from '../run.js';

const saidOf = async (...words: readonly string[]): Promise<unknown> => {
  const program = await programFor(COMMANDS);
  return program.parseAsync(['node', 'handover', ...words]);
};

it('console:L6 an id that begins with a dash is told from a flag, with the way to give it', async () => {
  const id = '-ChALr8R5XXWDr0Xn04JvUPDY6_y8iXw:h1';
  await expect(saidOf('receipt', id)).rejects.toMatchObject({
    fix: `An id that begins with a dash goes behind "--": handover receipt -- ${id}`,
  });
  await expect(saidOf('receipt', '--outt')).rejects.toMatchObject({
    fix: expect.stringContaining('Did you mean --out?'),
  });
});
