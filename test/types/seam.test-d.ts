/**
 * What must not compile between a service and a decider. `tsc -p test` checks this file: an expected error that does not
 * occur is itself an error. Nothing here runs.
 */
import { type DecideContext, modesDecider, StreamKind, type StreamRef } from '@handover/core';
import type { Deciders, Engine } from '@handover/engine';

declare const engine: Engine;
declare const anyStream: StreamRef;
declare const context: DecideContext;

const session = { tenant: 't', kind: StreamKind.Session, id: 's' } as const;
const worklog = { tenant: 't', kind: StreamKind.Worklog, id: 'w' } as const;
const operation = { tenant: 't', kind: StreamKind.Operation, id: 'op_1' } as const;
const rest = { agent: 'a', bytes: 1 };

export async function rightCommandsCompile(): Promise<unknown> {
  const answer = await engine.submit({
    ...rest,
    steps: [
      { stream: operation, command: { kind: 'close', by: 'creator' } },
      { stream: session, command: { kind: 'control', control: 'cancel', reason: '' }, messageId: 'm' },
    ],
  });
  if (!answer.ok) return answer.step;
  const [first, second] = answer.results;
  const listed = await engine.list({ tenant: 't', kind: StreamKind.Worklog, limit: 1 });
  const owners = await Promise.all(listed.map(async ({ ref }) => (await engine.query(ref))?.state.owner));
  return [first.state?.chainId, second.state?.initiator, owners];
}

export async function wrongCommandsDoNot(): Promise<void> {
  await engine.submit({
    ...rest,
    // @ts-expect-error A misspelt command.
    steps: [{ stream: operation, command: { kind: 'clsoe', by: 'creator' } }],
  });
  // @ts-expect-error A command of another kind of stream.
  await engine.submit({ ...rest, steps: [{ stream: session, command: { kind: 'close', by: 'creator' } }] });
  await engine.submit({
    ...rest,
    steps: [
      { stream: operation, command: { kind: 'close', by: 'creator' } },
      // @ts-expect-error The same as a second step.
      { stream: worklog, command: { kind: 'close', by: 'creator' } },
    ],
  });
  await engine.submit({
    ...rest,
    // @ts-expect-error A command for a stream whose kind is not known.
    steps: [{ stream: anyStream, command: { kind: 'close', by: 'creator' } }],
  });
}

export async function wrongStateFieldsDoNot(): Promise<unknown> {
  const found = await engine.query(session);
  const answer = await engine.submit({
    ...rest,
    steps: [
      { stream: operation, command: { kind: 'close', by: 'creator' } },
      { stream: session, command: { kind: 'control', control: 'cancel', reason: '' } },
    ],
  });
  if (!answer.ok) return undefined;
  const [first, second] = answer.results;
  return [
    // @ts-expect-error A session has an initiator, not an owner.
    found?.state.owner,
    // @ts-expect-error The first result is an operation's.
    first.state?.initiator,
    // @ts-expect-error The second result is a session's.
    second.state?.chainId,
    // @ts-expect-error There were two steps.
    answer.results[2],
    // @ts-expect-error The caller who is judged by a session's state gets a session's state.
    engine.subscribe(session, 0, (state) => state?.owner),
    // @ts-expect-error Replay knows only the owner of a working session.
    context.consulted.worklog?.pending,
  ];
}

export async function aComparisonOfTheKindNarrows(): Promise<unknown> {
  // @ts-expect-error Not every kind of stream has an initiator.
  const unknown = (await engine.query(anyStream))?.state.initiator;
  if (anyStream.kind !== StreamKind.Session) return unknown;
  return (await engine.query(anyStream))?.state.initiator;
}

// @ts-expect-error A decider stands under its own kind.
export const misplaced: Deciders = { policies: modesDecider };
