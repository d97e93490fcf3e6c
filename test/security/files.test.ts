import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { serve } from '../kit/handover-command.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  it(`${verifies('decision:security:files')}and every file in it are their owner's alone, while running and after`, async () => {
    const folder = join(temporaryFolder(), 'data');
    const umask = process.umask(0);
    const server = serve(['--dev', '--data-dir', folder]);
    process.umask(umask);
    const client = new GrpcClient((await server.ready()).grpc);
    const id = randomUUID();
    await client.send(start(id));
    await client.send(offer(id, 'h1', 'a'));
    const look = () => {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(names.length).toBeGreaterThan(1);
      expect(modeOf(folder)).toBe('700');
      for (const name of names)
        expect(`${name} ${modeOf(join(folder, name))}`).toBe(
          `${name} ${statSync(join(folder, name)).isDirectory() ? '700' : '600'}`,
        );
    };
    look();
    client.close();
    await server.stop();
    look();
  });
});
