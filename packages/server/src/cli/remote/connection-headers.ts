/**
 * What a server elsewhere is told of this window, in headers. The root of the project stays here: it is nothing to
 * others.
 */
import type { Joining } from '../local-server.js';
import type { Headers } from './requests.js';

export function connectionHeaders({ agent, instance, project, client, head }: Joining): Headers {
  return {
    ...(instance !== undefined && { 'handover-instance': instance }),
    // The server refuses a token of somebody else. Names may hold what a header cannot.
    ...(agent !== undefined && { 'handover-agent': encodeURIComponent(agent) }),
    ...(project && {
      'handover-project': `${encodeURIComponent(project.id)}; name=${encodeURIComponent(project.name)}`,
    }),
    ...(client?.session !== undefined && {
      'handover-client': `${encodeURIComponent(client.name)}; session=${encodeURIComponent(client.session)}`,
    }),
    ...(head !== undefined && { 'handover-head': head }),
  };
}
