/** docs/reference/rejections.md is computed from the models: `npx vitest run test/model/rejections -u`. */
import { expect, it } from 'vitest';
import { pageOf } from './page.js';
import { tables } from './tables.js';

it('the page shows every answer of every model', async () => {
  await expect(pageOf(tables())).toMatchFileSnapshot('../../../docs/reference/rejections.md');
});

it('every state of a model has a name, and every name a state', () => {
  for (const { mode, under, columns, rows } of tables()) {
    const reached = new Set(rows.flatMap(({ cells }) => [...cells.keys()]));
    expect([...reached].sort(), `${mode}, ${under}`).toEqual([...columns].sort());
  }
});

it('names tell every answer: no cell holds two', () => {
  const two = tables().flatMap(({ mode, under, rows }) =>
    rows.flatMap(({ message, sender, cells }) =>
      [...cells].flatMap(([column, cell]) =>
        new Set(cell.map(({ outcome }) => outcome)).size > 1
          ? [`${mode}, ${under}: ${message} from ${sender}, ${column}`]
          : [],
      ),
    ),
  );
  expect(two).toEqual([]);
});
