/** The desk: every question of `HandoffDesk` and the file that answers it. */
import type { DeskParts } from './dependencies.js';
import { findHandoff, handoffNotFound } from './find-handoff.js';
import { getPackage } from './get-package.js';
import { getReceipt } from './get-receipt.js';
import { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { listHandoffs } from './list-handoffs.js';
import { listSessions } from './list-sessions.js';
import { HandoffMoves } from './move-handoff.js';
import { getSession, readContext, summarizeSession } from './read-session.js';
import { registerSession } from './register-session.js';
import { requestHandoff } from './request-handoff.js';
import type { HandoffDesk } from './types.js';
import { updateContext } from './update-context.js';
import { HandoffWaits } from './wait-for-handoff.js';
import { Worklogs } from './worklogs.js';

export function createHandoffDesk(parts: DeskParts): HandoffDesk {
  const worklogs = new Worklogs(parts);
  const texts = new HandoffTextReader(parts);
  const moves = new HandoffMoves(parts, texts);
  const waits = new HandoffWaits(parts, texts);
  return {
    registerSession: (who, args) => registerSession(parts, worklogs, who, args),
    updateContext: (who, args) => updateContext(parts, worklogs, who, args),
    requestHandoff: (who, args) => requestHandoff(parts, worklogs, texts, who, args),
    listHandoffs: (who, args) => listHandoffs(parts, texts, who, args),
    getHandoff: async (who, handoffId) => {
      const found = await findHandoff(parts, who, handoffId);
      if (!found) return { rejection: handoffNotFound(handoffId) };
      return { value: await viewHandoff(texts, who, found) };
    },
    acceptHandoff: (who, args) => moves.accept(who, args),
    declineHandoff: (who, args) => moves.decline(who, args),
    sendHandoffContext: (who, args) => moves.sendContext(who, args),
    commitHandoff: (who, args) => moves.commit(who, args),
    cancelHandoff: (who, args) => moves.cancel(who, args),
    waitForHandoff: (who, args, signal) => waits.wait(who, args, signal),
    listSessions: (who, args) => listSessions(parts, worklogs, who, args),
    getSession: (who, sessionKey) => getSession(worklogs, who, sessionKey),
    readContext: (who, args) => readContext(parts, worklogs, who, args),
    summarize: (who, sessionKey) => summarizeSession(parts, worklogs, who, sessionKey),
    getPackage: (who, args) => getPackage(parts, who, args),
    getReceipt: (who, handoffId) => getReceipt(parts, who, handoffId),
  };
}
