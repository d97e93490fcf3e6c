/** GetSession, ListSessions, and the controls of a session. */
import { Control } from '@handover/core';
import { encodeAckResponse, encodeMessage, pb } from '@handover/wire';
import { pageToken, readPageToken } from '../../../services/page-token.js';
import type { DoorContext } from '../context.js';
import { ackTrailers, invalidRequest, statusOfRejection } from '../errors.js';
import { toSessionMetadata } from '../translate.js';
import { authenticatedCall } from '../unary.js';

const BAD_PAGE_SIZE = invalidRequest('page_size is negative');
const BAD_PAGE_TOKEN = invalidRequest('page_token is not one that this server gave');

export function sessionMethods(context: DoorContext) {
  const { sessions } = context;
  return {
    getSession: authenticatedCall(context, pb.GetSessionRequestSchema, async (principal, { sessionId }) => {
      const found = await sessions.get(principal, sessionId);
      if ('rejection' in found) return statusOfRejection(found.rejection);
      return encodeMessage(pb.GetSessionResponseSchema, { metadata: toSessionMetadata(found.value) });
    }),
    listSessions: authenticatedCall(
      context,
      pb.ListSessionsRequestSchema,
      async (principal, { pageSize, pageToken: token }) => {
        if (pageSize < 0) return BAD_PAGE_SIZE;
        const after = readPageToken('sessions', token);
        if (after === undefined) return BAD_PAGE_TOKEN;
        const page = await sessions.list(principal, pageSize, after);
        return encodeMessage(pb.ListSessionsResponseSchema, {
          sessions: page.sessions.map(toSessionMetadata),
          nextPageToken: pageToken('sessions', page.nextAfter),
        });
      },
    ),
    cancelSession: control(context, pb.CancelSessionRequestSchema, Control.Cancel),
    suspendSession: control(context, pb.SuspendSessionRequestSchema, Control.Suspend),
    resumeSession: control(context, pb.ResumeSessionRequestSchema, Control.Resume),
  };
}

type ControlRequest =
  | typeof pb.CancelSessionRequestSchema
  | typeof pb.SuspendSessionRequestSchema
  | typeof pb.ResumeSessionRequestSchema;

function control(context: DoorContext, input: ControlRequest, kind: Control) {
  return authenticatedCall(context, input, async (principal, { sessionId, reason }) => {
    const answer = await context.sessions.control(principal, sessionId, kind, reason);
    if ('rejection' in answer) return statusOfRejection(answer.rejection);
    const { value: ack } = answer;
    return { bytes: encodeAckResponse(ack), trailers: ackTrailers(ack) };
  });
}
