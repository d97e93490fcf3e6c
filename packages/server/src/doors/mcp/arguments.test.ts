/** What the argument schemas refuse, and under the name of which field. */
import { type JsonObject, RequestType } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { argumentIssues } from './arguments.js';
import type { Tool } from './tool.js';
import type { HandoffToolDependencies } from './tools/dependencies.js';
import { registerSession } from './tools/register-session.js';
import { requestHandoff } from './tools/request-handoff.js';
import { updateContext } from './tools/update-context.js';

const deps = {} as HandoffToolDependencies;
const [register, update, request] = [registerSession(deps), updateContext(deps), requestHandoff(deps)];

/** The fields that are wrong, in order, each once. */
function fieldsOf({ input }: Tool, args: object): readonly string[] {
  const { error } = input.safeParse(args);
  return error ? [...new Set(argumentIssues(error).map(({ field }) => field))] : [];
}
const ofKey = (sessionKey: string) => fieldsOf(register, { sessionKey, agentFrom: 'alice' });
const ofEntry = (more: object) =>
  fieldsOf(update, { sessionKey: 'k', contextType: 'message', content: 'x', ...more });
const ofRequest = (more: object) =>
  fieldsOf(request, {
    sessionKey: 'k',
    targetAgent: 'bob',
    requestType: RequestType.FullHandoff,
    ...more,
  });
const deep = (levels: number): JsonObject => (levels === 1 ? {} : { a: deep(levels - 1) });

describe('arguments', () => {
  it.each(['', ' ', 'k'.repeat(256), 'a\u0000b', 'a\nb', '\ud800'])('refuse the key %j', (sessionKey) => {
    expect(ofKey(sessionKey)).toEqual(['sessionKey']);
  });

  it('take keys of 255 characters of any script', () => {
    for (const sessionKey of ['k'.repeat(255), '鍵'.repeat(255)]) {
      expect(ofKey(sessionKey)).toEqual([]);
      expect(ofRequest({ sessionKey })).toEqual([]);
    }
  });

  it('say one thing about one flaw', () => {
    for (const args of [
      { sessionKey: '', agentFrom: 'a\nb' },
      { sessionKey: 'k'.repeat(256), agentFrom: `${'a'.repeat(101)}\n` },
    ]) {
      const { error } = register.input.safeParse(args);
      expect(error && argumentIssues(error).map(({ field }) => field)).toEqual(['sessionKey', 'agentFrom']);
    }
  });

  it('say all that is wrong at once', () => {
    const wrong = { contextType: 'note', metadata: deep(33), expectedSequence: -1, idempotencyKey: '' };
    expect(ofEntry(wrong)).toEqual(['contextType', 'metadata', 'expectedSequence', 'idempotencyKey']);
    expect(ofRequest({ requestType: 'gift', targetAgent: 'a'.repeat(101) })).toEqual([
      'targetAgent',
      'requestType',
    ]);
  });

  it('keep to their sizes, to the byte', () => {
    expect(ofEntry({ content: '\udc00' })).toEqual(['content']);
    expect(ofEntry({ metadata: deep(32) })).toEqual([]);
    expect(ofEntry({ metadata: { a: 'x'.repeat(65_528) } })).toEqual([]);
    expect(ofEntry({ metadata: { a: 'x'.repeat(65_529) } })).toEqual(['metadata']);
    expect(ofEntry({ metadata: { a: 'é'.repeat(32_765) } })).toEqual(['metadata']);
    expect(ofEntry({ idempotencyKey: '鍵'.repeat(86) })).toEqual(['idempotencyKey']);
  });
});
