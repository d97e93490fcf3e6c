/** Where captures go: the server of this data folder, which is started when it does not run. */
import { homedir } from 'node:os';
import { visitServer } from '../../doors/socket/local-client.js';
import type { Captured, CaptureRequest, HookRequest } from '../../services/handoffs/capture-request.js';
import type { ProjectTag } from '../../services/project.js';
import { visitOrStart } from '../local-server.js';
import { findProject } from '../project/find-project.js';
import type { SpooledEvent } from './spool.js';

/** The server understood and said no: saying it again changes nothing. */
export class CaptureRefused extends Error {}

export interface CaptureTarget {
  projectOf(event: Pick<SpooledEvent, 'project' | 'cwd'>): { readonly project?: ProjectTag };
  capture(agent: string, request: CaptureRequest): Promise<Captured>;
  /** Only says that the agent is there: no server is started for it. */
  beat(agent: string, request: HookRequest): Promise<void>;
}

const BEAT_MS = 2_000;

export function localTarget(folder: string): CaptureTarget {
  return {
    projectOf,
    async capture(agent, body) {
      const { socket, answer } = await visitOrStart(folder, { wanted: 'capture', agent, body });
      socket.destroy();
      const { refused, later } = answer as { readonly refused?: string; readonly later?: boolean };
      if (refused !== undefined) throw later ? new Error(refused) : new CaptureRefused(refused);
      return answer as Captured;
    },
    async beat(agent, body) {
      const visit = await visitServer(folder, { wanted: 'hook', agent, body }, BEAT_MS);
      if (visit.kind === 'open') visit.socket.destroy();
    },
  };
}

export function projectOf({ project, cwd }: Pick<SpooledEvent, 'project' | 'cwd'>): {
  readonly project?: ProjectTag;
} {
  if (project === undefined && cwd === undefined) return {};
  const sources = { flag: project, env: {}, workingFolder: cwd ?? project ?? '/', home: homedir() };
  const found = findProject(sources)?.project;
  return found ? { project: { id: found.id, name: found.name } } : {};
}
