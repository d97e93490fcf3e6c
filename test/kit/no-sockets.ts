/** For `npm run test:unit`: a test that listens or starts a process fails; the error says where to name its file. */
import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';

function refuse(what: string): () => never {
  return () => {
    throw new Error(`a unit test ${what}: name its file in vitest.unit.config.ts`);
  };
}

Server.prototype.listen = refuse('listens on a socket');
(ChildProcess.prototype as unknown as { spawn: () => never }).spawn = refuse('starts a process');
