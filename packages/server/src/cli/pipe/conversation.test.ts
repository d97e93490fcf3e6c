import { describe, expect, it } from 'vitest';
import { Conversation, MAX_KEPT_BYTES } from './conversation.js';

const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const initialize = line({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
const initialized = line({ method: 'notifications/initialized' });
const welcome = (protocolVersion: string) => line({ id: 0, result: { protocolVersion } });
const call = (id: number | string) => line({ id, method: 'tools/call', params: { name: 'x' } });
const answer = (id: number | string) => line({ id, result: {} });

function opened(): Conversation {
  const said = new Conversation();
  said.fromClient(initialize);
  said.fromServer(welcome('2025-11-25'));
  said.fromClient(initialized);
  return said;
}

describe('assistants:6.2 a conversation', () => {
  it('is said again: the opening, what was subscribed to, what has no answer; in order', () => {
    const said = opened();
    const subscribe = (id: number, uri: string) =>
      line({ id, method: 'resources/subscribe', params: { uri } });
    said.fromClient(subscribe(1, 'a'));
    said.fromClient(subscribe(2, 'b'));
    said.fromClient(line({ id: 3, method: 'resources/unsubscribe', params: { uri: 'b' } }));
    for (const id of [1, 2, 3]) said.fromServer(answer(id));
    said.fromClient(call(4));
    said.fromClient(call('five'));
    said.fromServer(answer(4));
    expect(said.again()).toEqual([initialize, initialized, subscribe(1, 'a'), call('five')]);
  });

  it('passes every answer once: those to what was said again are dropped', () => {
    const said = opened();
    said.fromClient(call(4));
    said.again();
    expect(said.fromServer(welcome('2025-11-25'))).toBe('drop');
    expect(said.fromServer(answer(4))).toBe('pass');
    expect(said.fromServer(answer(4))).toBe('drop');
    expect(said.fromServer(answer(99))).toBe('drop');
  });

  it('passes what answers nothing: notifications, questions of the server, errors without an id', () => {
    const said = opened();
    expect(said.fromServer(line({ method: 'notifications/progress', params: {} }))).toBe('pass');
    expect(said.fromServer(line({ id: 4, method: 'elicitation/create' }))).toBe('pass');
    expect(said.fromServer(line({ id: null, error: { code: -32700, message: '' } }))).toBe('pass');
    expect(said.fromServer('no JSON')).toBe('pass');
  });

  it('tells of what was subscribed to as changed, once the new server follows it, and not before', () => {
    const said = opened();
    const subscribe = line({ id: 1, method: 'resources/subscribe', params: { uri: 'a' } });
    const listen = line({
      ...{ id: 'two', method: 'subscriptions/listen' },
      params: { notifications: { resourceSubscriptions: ['b', 'c'] } },
    });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'two' };
    const acknowledged = line({ method: 'notifications/subscriptions/acknowledged', params: { _meta } });
    for (const one of [subscribe, listen]) said.fromClient(one);
    for (const one of [answer(1), acknowledged]) expect(said.fromServer(one)).toBe('pass');
    expect(said.missed()).toEqual([]);
    said.again();
    said.fromServer(welcome('2025-11-25'));
    expect(said.missed()).toEqual([]);
    expect(said.fromServer(answer(1))).toBe('drop');
    const updated = (params: object) => line({ method: 'notifications/resources/updated', params });
    expect(said.missed()).toEqual([updated({ uri: 'a' })]);
    expect(said.fromServer(acknowledged)).toBe('pass');
    expect(said.missed()).toEqual([updated({ uri: 'b', _meta }), updated({ uri: 'c', _meta })]);
    expect(said.fromServer(acknowledged)).toBe('pass');
    expect(said.missed()).toEqual([]);
  });

  it('ends when the new server speaks another revision', () => {
    const said = opened();
    said.again();
    expect(said.fromServer(welcome('2026-03-01'))).toBe('another-revision');
  });

  it('an opening without an answer is said again, and its answer is passed, whatever the revision', () => {
    const said = new Conversation();
    said.fromClient(initialize);
    expect(said.again()).toEqual([initialize]);
    expect(said.fromServer(welcome('2025-06-18'))).toBe('pass');
  });

  it('forgets what was cancelled, and a subscription that was refused', () => {
    const said = opened();
    said.fromClient(call(4));
    said.fromClient(line({ method: 'notifications/cancelled', params: { requestId: 4 } }));
    said.fromClient(line({ id: 5, method: 'resources/subscribe', params: { uri: 'a' } }));
    said.fromServer(line({ id: 5, error: { code: -32602, message: '' } }));
    expect(said.again()).toEqual([initialize, initialized]);
  });

  it('tells the client of what is given up, with the ids as they were', () => {
    const said = opened();
    said.fromClient(call(4));
    said.fromClient(call('five'));
    expect(said.giveUp('gone').map((one) => JSON.parse(one))).toEqual(
      [4, 'five'].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'gone' } })),
    );
    expect(said.unanswered).toEqual([]);
  });

  it('forgets an opening and a subscription that were given up: the client does not count on them', () => {
    const said = new Conversation();
    said.fromClient(initialize);
    said.giveUp('gone');
    expect(said.again()).toEqual([]);
    said.fromClient(initialize);
    expect(said.fromServer(welcome('2025-06-18'))).toBe('pass');
    said.fromClient(line({ id: 5, method: 'resources/subscribe', params: { uri: 'a' } }));
    said.giveUp('gone');
    expect(said.again()).toEqual([initialize]);
  });

  it('keeps no more than it may, and says so', () => {
    const said = opened();
    const large = line({ id: 1, method: 'tools/call', params: { text: 'x'.repeat(MAX_KEPT_BYTES / 4) } });
    for (const id of [1, 2, 3]) said.fromClient(large.replace('"id":1', `"id":${id}`));
    expect(said.canGoOn).toBe(true);
    for (const id of [1, 2, 3]) said.fromServer(answer(id));
    for (const id of [4, 5, 6]) said.fromClient(large.replace('"id":1', `"id":${id}`));
    expect(said.canGoOn).toBe(true);
    said.fromClient(large.replace('"id":1', '"id":7'));
    expect(said.canGoOn).toBe(false);
    // Nothing is kept any more that could not be said again, and what is answered still passes.
    expect(said.again().join('')).toBe(initialize + initialized);
    expect(said.fromServer(answer(7))).toBe('pass');
  });

  it('counts subscriptions, which are kept after their answers, until they end or are made again', () => {
    const said = opened();
    const subscribe = (id: number, uri: string) => {
      said.fromClient(
        line({ id, method: 'resources/subscribe', params: { uri, pad: 'ä'.repeat(MAX_KEPT_BYTES / 6) } }),
      );
      said.fromServer(answer(id));
    };
    const unsubscribe = line({ id: 9, method: 'resources/unsubscribe', params: { uri: 'a' } });
    for (const id of [1, 2, 3]) subscribe(id, 'a');
    said.fromClient(unsubscribe);
    subscribe(4, 'b');
    expect(said.canGoOn).toBe(true);
    subscribe(5, 'c');
    subscribe(6, 'd');
    expect(said.canGoOn).toBe(false);
  });
});
