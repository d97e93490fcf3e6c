/** What a server elsewhere is told of this window, in headers: its socket's first line tells the local one the same. */
import type { Headers } from './requests.js';

export interface Window {
  /** Whom `--agent` names. The server refuses a token of somebody else. */
  readonly agent?: string | undefined;
  readonly instance: string;
}

export function connectionHeaders({ agent, instance }: Window): Headers {
  return {
    'handover-instance': instance,
    // Names may hold what a header cannot.
    ...(agent !== undefined && { 'handover-agent': encodeURIComponent(agent) }),
  };
}
