/** Maps every method of `HandoffService` to the file that implements it. */
import { Attachments } from './attachments.js';
import { capture } from './capture.js';
import { CurrentSessions } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { findHandoff, handoffNotFound } from './find-handoff.js';
import { getPackage, type PackageReads } from './get-package.js';
import { getReceipt } from './get-receipt.js';
import { HandOffs } from './hand-off.js';
import { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { hookStart } from './hook-start.js';
import { leftSessions } from './left-sessions.js';
import { listHandoffs } from './list-handoffs.js';
import { countActiveSessions, listSessions } from './list-sessions.js';
import { LongReads, withLongReads } from './long-reads.js';
import { HandoffMoves } from './move-handoff.js';
import { newestSessions } from './newest-sessions.js';
import { offerBrief } from './offer-brief.js';
import { OwnedSession } from './owned-session.js';
import { pickUp } from './pick-up.js';
import { readEntriesOf } from './read-entries.js';
import { getSession, readContext, summarizeSession } from './read-session.js';
import { registerSession } from './register-session.js';
import { requestHandoff } from './request-handoff.js';
import { Resumes } from './resume/resume.js';
import { returnedOffers } from './returned-offers.js';
import { searchContext } from './search-context.js';
import { SentBefore } from './sent-before.js';
import { resumedAsSign } from './take/resumed-as-sign.js';
import { TakeMoves } from './take/take.js';
import { takeOver } from './take-over.js';
import type { HandoffService } from './types.js';
import { forUnnamed } from './unnamed.js';
import { updateContext } from './update-context.js';
import { HandoffWaits } from './wait-for-handoff.js';
import { withdraw } from './withdraw.js';
import { Worklogs } from './worklogs.js';

export function createHandoffService(deps: HandoffDependencies): HandoffService {
  const worklogs = new Worklogs(deps);
  const current = new CurrentSessions(deps, worklogs);
  const long = new LongReads();
  const texts = new HandoffTextReader(deps);
  const attachments = new Attachments(deps);
  const packageReads: PackageReads = {
    attachments,
    sentBefore: new SentBefore(deps, attachments),
    brief: (found, tokenBudget) => offerBrief(deps, texts, attachments, found, tokenBudget),
  };
  const moves = new HandoffMoves(deps, texts);
  const handOffs = new HandOffs(deps, { worklogs, current }, texts);
  const owned = new OwnedSession(deps, worklogs);
  const waits = new HandoffWaits(deps, texts);
  const service: HandoffService = {
    resume: (principal, args, connection) =>
      resumedAsSign(deps, principal, connection, resumes.resume(principal, args, connection)),
    registerSession: (principal, args, connection) =>
      registerSession(deps, { worklogs, current }, principal, args, connection),
    updateContext: (principal, args, connection) =>
      updateContext(deps, { worklogs, current }, principal, args, connection),
    capture: (principal, request, connection) => capture(deps, current, principal, request, connection),
    hookText: (principal, request, connection) => hookStart(deps, current, principal, request, connection),
    requestHandoff: (principal, args) => requestHandoff(deps, worklogs, texts, principal, args),
    handOff: (principal, args, connection) => handOffs.handOff(principal, args, connection),
    park: (principal, args) => owned.park(principal, args),
    closeSession: (principal, args, connection) => owned.close(principal, args, connection),
    withdraw: (principal, args) => withdraw(deps, worklogs, principal, args),
    reopenSession: (principal, sessionKey) => owned.reopen(principal, sessionKey),
    pickUp: (principal, args) => pickUp(deps, texts, principal, args),
    take: (principal, args, connection) => takes.take(principal, args, connection),
    takeFor: (principal, args) => takes.takeFor(principal, args),
    takeOver: (principal, args) => takeOver(deps, texts, principal, args),
    listHandoffs: (principal, args) => listHandoffs(deps, texts, principal, args),
    getHandoff: async (principal, handoffId) => {
      const found = await findHandoff(deps, principal, handoffId);
      if (!found) return { rejection: handoffNotFound(handoffId) };
      return { value: await viewHandoff(texts, principal, found) };
    },
    acceptHandoff: (principal, args) => moves.accept(principal, args),
    declineHandoff: (principal, args) => moves.decline(principal, args),
    sendHandoffContext: (principal, args) => moves.sendContext(principal, args),
    commitHandoff: (principal, args) => moves.commit(principal, args),
    cancelHandoff: (principal, args) => moves.cancel(principal, args),
    waitForHandoff: (principal, args, signal) => waits.wait(principal, args, signal),
    listSessions: (principal, args) => listSessions(deps, worklogs, principal, args),
    newestSessions: (principal, args, connection) => newestSessions(deps, principal, args, connection),
    leftSessions: (principal, args, connection) => leftSessions(deps, principal, args, connection),
    returnedOffers: (principal, wanted) => returnedOffers(deps, texts, principal, wanted),
    countActiveSessions: (principal) => countActiveSessions(deps, principal),
    getSession: (principal, sessionKey) => getSession(worklogs, principal, sessionKey),
    readContext: (principal, args) => readContext(deps, worklogs, principal, args),
    readEntries: (principal, args, connection) => readEntriesOf(deps, worklogs, principal, args, connection),
    searchContext: (principal, args) => searchContext(deps, { worklogs, attachments }, principal, args),
    summarize: (principal, sessionKey) => summarizeSession(deps, worklogs, principal, sessionKey),
    getPackage: (principal, args) => getPackage(deps, packageReads, principal, args),
    readAttachment: (principal, { handoffId, attachment }) =>
      attachments.read(principal, handoffId, attachment),
    getReceipt: (principal, handoffId) => getReceipt(deps, principal, handoffId),
  };
  const resumes = new Resumes(deps, { current, packages: packageReads, long }, service);
  const takes = new TakeMoves(deps, service.takeOver);
  return forUnnamed(deps, withLongReads(service, long));
}
