/** A server in this process for the world of a test, whose clock runs as ours does and can be put forward. */
import { TestServer } from '../../kit/test-server.js';

export function movableClock() {
  let ahead = 0;
  return {
    putForward(ms: number): void {
      ahead += ms;
    },
    async start(env: Readonly<Record<string, string>>) {
      const server = await TestServer.start({ env, flags: { dev: true }, now: () => Date.now() + ahead });
      const stop = () => server.remove().then(() => null);
      return { http: server.http, stop, stderr: () => '' };
    },
  };
}
