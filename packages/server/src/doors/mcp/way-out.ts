/**
 * What a caller can do after a refusal whose words are fixed. It names tools that every connection lists, and nothing of
 * what was asked for: whoever may not know that something exists is told the same.
 */
import type { JsonObject } from '@handover/core';
import { McpErrorCode } from '../status-table.js';

const FIND =
  'listSessions shows the sessions and offers that you can see. registerSession opens a new session under a key of yours; handOff without sessionKey goes on with the one you are at, or opens one.';
const FIND_OFFER =
  'listSessions shows the offers to you in its inbox and your own in its outbox, each with its handoffId.';
const REOPEN =
  'It was closed. Its owner opens it again with resume {sessionKey, accept: true}; readContext still reads it.';
const OVER =
  'It cannot be opened again. Go on in a new session: registerSession opens one, and so does handOff without sessionKey.';

const ATTACHMENTS = 'resume with the handoffId lists its attachments by their numbers.';

export function wayOut(code: McpErrorCode, { currentStatus, attachments }: JsonObject): string | undefined {
  if (code === McpErrorCode.HANDOFF_NOT_FOUND && attachments !== undefined) return ATTACHMENTS;
  if (code === McpErrorCode.SESSION_EXPIRED) return currentStatus === 'completed' ? REOPEN : OVER;
  if (code === McpErrorCode.HANDOFF_NOT_FOUND) return FIND_OFFER;
  return code === McpErrorCode.SESSION_NOT_FOUND ? FIND : undefined;
}
