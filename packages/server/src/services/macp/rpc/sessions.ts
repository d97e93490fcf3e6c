/** GetSession, ListSessions, and the controls of a session. */
import { Control } from '@handover/core';
import { encodeAckResponse, methods } from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';
import { pageToken, readPageToken } from '../../page-token.js';
import type { MacpServices } from '../macp-services.js';
import { authenticatedRpc, type UnaryRpcs } from './rpc.js';
import { toSessionMetadata } from './translate.js';

export function sessionRpcs({
  sessions,
}: MacpServices): UnaryRpcs<
  'getSession' | 'listSessions' | 'cancelSession' | 'suspendSession' | 'resumeSession'
> {
  const control =
    (kind: Control) =>
    async (caller: Principal, { sessionId, reason }: { sessionId: string; reason: string }) => {
      const answer = await sessions.control(caller, sessionId, kind, reason);
      return 'rejection' in answer ? answer : { bytes: encodeAckResponse(answer.value), ack: answer.value };
    };
  return {
    getSession: authenticatedRpc(methods.getSession, async (caller, { sessionId }) => {
      const found = await sessions.get(caller, sessionId);
      return 'rejection' in found ? found : { value: { metadata: toSessionMetadata(found.value) } };
    }),
    listSessions: authenticatedRpc(methods.listSessions, async (caller, { pageSize, pageToken: token }) => {
      if (pageSize < 0) return { malformed: 'page_size is negative' };
      const after = readPageToken('sessions', token);
      if (after === undefined) return { malformed: 'page_token is not one that this server gave' };
      const page = await sessions.list(caller, pageSize, after);
      return {
        value: {
          sessions: page.sessions.map(toSessionMetadata),
          nextPageToken: pageToken('sessions', page.nextAfter),
        },
      };
    }),
    cancelSession: authenticatedRpc(methods.cancelSession, control(Control.Cancel)),
    suspendSession: authenticatedRpc(methods.suspendSession, control(Control.Suspend)),
    resumeSession: authenticatedRpc(methods.resumeSession, control(Control.Resume)),
  };
}
