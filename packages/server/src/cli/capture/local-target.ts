/** The server of this data folder, which is started when it does not run. */
import { visitServer } from '../../doors/socket/local-client.js';
import type { Captured } from '../../services/handoffs/capture-request.js';
import { visitOrStart } from '../local-server.js';
import { CaptureRefused, type CaptureTarget } from './capture-target.js';

const BEAT_MS = 2_000;

export function localTarget(folder: string, agent: string): CaptureTarget {
  return {
    async capture(body) {
      const { socket, answer } = await visitOrStart(folder, { wanted: 'capture', agent, body });
      socket.destroy();
      const { refused, later } = answer as { readonly refused?: string; readonly later?: boolean };
      if (refused !== undefined) throw later ? new Error(refused) : new CaptureRefused(refused);
      return answer as Captured;
    },
    /** No server is started for it. */
    async beat(body) {
      const visit = await visitServer(folder, { wanted: 'hook', agent, body }, BEAT_MS);
      if (visit.kind === 'open') visit.socket.destroy();
    },
  };
}
