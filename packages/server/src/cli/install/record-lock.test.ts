import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.js';
import { withRecordLock } from './record-lock.js';

it('the second waits for the first; what it left behind when it was killed is no obstacle', async () => {
  const folder = temporaryFolder();
  const lock = join(folder, 'installed.lock');
  writeFileSync(lock, '');
  const order: string[] = [];
  const second = withRecordLock(folder, () => order.push(existsSync(lock) ? 'second' : 'unlocked'));
  await new Promise((resolve) => setTimeout(resolve, 120));
  order.push('first');
  rmSync(lock);
  await second;
  expect([order, existsSync(lock)]).toEqual([['first', 'second'], false]);

  writeFileSync(lock, '');
  utimesSync(lock, 0, 0);
  expect(await withRecordLock(folder, () => 'done')).toBe('done');
});
