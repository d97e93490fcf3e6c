/**
 * What the histories cover. Each table names what can come about under the rules; a word that is in a table and in no
 * history fails, and so does a word of a closed set that is in no table. Whoever adds a word records a history of it.
 */
import {
  BUILT_IN_MODES,
  CloseOutcome,
  ContextType,
  Family,
  OperationStatus,
  ParkedBy,
  RequestType,
  type SessionState,
  StepStatus,
  type StreamKind,
  Verification,
  type WorklogState,
  WorklogStatus,
  worklogStatusOf,
} from '@handover/core';
import { describe, expect, it } from 'vitest';
import { verificationOf } from '../../packages/core/src/operation/rev1/state.js';
import { foldedStates, isOfRev1 } from './fold.js';
import { allHistories } from './read-histories.js';

const histories = allHistories();
const statesOf = <State>(kind: StreamKind): readonly State[] =>
  histories
    .filter(({ ref }) => ref.kind === kind)
    .flatMap(({ ref, entries }) => foldedStates<State>(ref, entries));
const entriesOf = (kind: StreamKind) =>
  histories.filter(({ ref }) => ref.kind === kind).flatMap(({ entries }) => entries);
const words = (all: Iterable<unknown>): readonly string[] => [...new Set([...all].map(String))].sort();
const tableOf = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).map(([row, columns]) => [row, columns.split(' ').sort()] as const);

const operations = statesOf<unknown>('operation').filter(isOfRev1);
const inFamily = (family: string) => operations.filter((state) => state.family === family);

const STATUSES: Readonly<Record<Family, string>> = {
  operation:
    'pending_user_action opened wallet_connected tx_requested tx_submitted completed failed cancelled expired',
  bundle_deploy: 'pending_import opened imported deployed failed cancelled expired',
  session_start: 'pending_import completed partial failed cancelled expired',
};
/** Only a rule that is on the chain already is skipped. */
const STEP_STATUSES: Readonly<Record<Family, string>> = {
  operation: 'pending requested submitted confirmed failed',
  bundle_deploy: 'pending requested submitted confirmed failed skipped',
  session_start: 'pending requested submitted confirmed failed',
};
/** A started session stands in no block that could be lost. */
const VERIFICATIONS: Readonly<Record<Family, string>> = {
  operation: 'unverified pending matched mismatched reorged',
  bundle_deploy: 'unverified pending matched mismatched reorged',
  session_start: 'unverified pending matched mismatched',
};

describe('operations under the rules of 0.1.0', () => {
  it.each(tableOf(STATUSES))('%s: each status that it can have', (family, reachable) => {
    expect(words(inFamily(family).map(({ status }) => status))).toEqual(reachable);
  });

  it.each(tableOf(STEP_STATUSES))('%s: each status of a step', (family, reachable) => {
    const steps = inFamily(family).flatMap((state) => state.steps);
    expect(words(steps.map(({ status }) => status))).toEqual(reachable);
  });

  it.each(tableOf(VERIFICATIONS))('%s: each word of the chain', (family, reachable) => {
    expect(words(inFamily(family).map(verificationOf))).toEqual(reachable);
  });

  it.each(Object.values(Family))('%s: closed as it stands, and after it has expired', (family) => {
    const closed = inFamily(family).filter((state) => state.closed);
    expect(words(closed.map(({ status }) => status === 'expired'))).toEqual(['false', 'true']);
  });

  it.each([
    ['families', STATUSES, Object.keys(STATUSES), Family],
    ['statuses', STATUSES, undefined, OperationStatus],
    ['statuses of steps', STEP_STATUSES, undefined, StepStatus],
    ['words of the chain', VERIFICATIONS, undefined, Verification],
  ] as const)('the tables name all %s', (_what, table, names, closedSet) => {
    const named = names ?? Object.values(table).flatMap((row) => row.split(' '));
    expect(words(named)).toEqual(words(Object.values(closedSet)));
  });

  it('each who may cancel', () => {
    const cancels = entriesOf('operation').filter(({ type }) => type === 'OperationCancelled');
    expect(words(cancels.map(({ facts }) => facts.by))).toEqual(['admin', 'creator', 'person', 'secret']);
  });
});

describe('working sessions', () => {
  it('each stage of life', () => {
    const stages = statesOf<WorklogState>('worklog').map(worklogStatusOf);
    expect(words(stages)).toEqual(words(['dormant', ...Object.values(WorklogStatus)]));
  });

  it('each way to close it, and each who may leave it for others', () => {
    const states = statesOf<WorklogState>('worklog');
    const closed = states.flatMap(({ outcome }) => outcome ?? []);
    expect(words(closed)).toEqual(words(Object.values(CloseOutcome)));
    const left = states.flatMap(({ parked }) => parked?.by ?? []);
    expect(words(left)).toEqual(words(Object.values(ParkedBy)));
  });

  it('each way in which work moves without its owner, in both streams', () => {
    const requests = entriesOf('worklog').filter(({ type }) => type === 'HandoffRequested');
    const policies = requests.flatMap(({ facts }) => facts.policy ?? []);
    expect(words(policies)).toEqual(['admin/0', 'person/0', 'silent/600']);
    expect(requests.some(({ facts }) => facts.standing !== undefined)).toBe(true);
    const starts = entriesOf('session').filter(({ type }) => type === 'SessionStart');
    const prefixes = starts.map(({ messageId }) => messageId.split(':')[0]);
    expect(prefixes).toContain('standing-start');
    expect(prefixes).toContain('takeover-start');
  });

  it('each kind of context', () => {
    const added = entriesOf('worklog').filter(({ type }) => type === 'ContextAdded');
    expect(words(added.map(({ facts }) => facts.context_type))).toEqual(words(Object.values(ContextType)));
  });

  it.each(Object.values(RequestType))('%s: each end of a handoff', (requestType) => {
    const ends = entriesOf('worklog').filter(({ type }) => type === 'HandoffEnded');
    const ofType = ends.filter(({ facts }) => facts.request_type === requestType);
    const outcomes = ofType.map(({ facts }) => facts.outcome);
    expect(words(outcomes)).toEqual(['cancelled', 'committed', 'declined', 'expired']);
  });
});

const RUNTIME = ['SessionStart', 'SessionSuspend', 'SessionResume', 'SessionCancel', 'SessionExpired'];
const typesOfModes = () => [...BUILT_IN_MODES.values()].flatMap(({ descriptor }) => descriptor.messageTypes);

describe('entries', () => {
  const TYPES: Readonly<Record<StreamKind, string>> = {
    // Say is of an extension mode.
    session: words([...RUNTIME, ...typesOfModes(), 'Say']).join(' '),
    worklog:
      'WorklogRegistered ContextAdded HandoffRequested HandoffEnded WorklogParked WorklogClosed WorklogReopened ' +
      'WorklogDormant WorklogExpired WorklogArchived WorklogPurged',
    operation:
      'OperationCreated OperationPosted OperationResult OperationVerified ' +
      'OperationCancelled OperationExpired OperationClosed ' +
      'OperationAsked OperationAnswered OperationAskSettled OperationClaimed OperationJudged ' +
      'OperationClosing OperationTimeUp OperationWindowOver',
    carrier: 'CarrierTaken',
    policies: 'PolicyRegistered PolicyUnregistered',
    modes: 'ModeRegistered ModePromoted ModeUnregistered',
    configuration: 'ConfigurationChanged ConfigurationBackedUp ConfigurationBackupDeleted FormatRaised',
  };

  it.each([...BUILT_IN_MODES])(
    'session of %s: each message type, and a positive outcome',
    (mode, { descriptor }) => {
      const sessions = histories.filter(
        ({ ref, entries: [start] }) => ref.kind === 'session' && start?.facts.mode === mode,
      );
      const types = sessions.flatMap(({ entries }) => entries.map(({ type }) => type));
      expect(descriptor.messageTypes.filter((type) => !types.includes(type))).toEqual([]);
      const states = sessions.flatMap(({ ref, entries }) => foldedStates<SessionState>(ref, entries));
      expect(words(states.flatMap(({ outcomePositive }) => outcomePositive ?? []))).toContain('true');
    },
  );

  it.each(tableOf(TYPES))('%s: each type', (kind, types) => {
    expect(words(entriesOf(kind as StreamKind).map(({ type }) => type))).toEqual(types);
  });
});
