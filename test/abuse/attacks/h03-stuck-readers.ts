/** H3: readers that never read, at every door that streams. What waits for them is the server's memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeStreamRequest, methods } from '@handover/wire';
import { Token } from '../arena/identities.js';
import { memoryOf, type TargetAddress } from '../arena/target.js';
import type { Attack } from '../attack.js';
import { megabytes } from '../observe.js';
import { type Crowd, keepUp, repeat } from '../pace.js';
import { bearer } from '../wire/http.js';
import { codeOfSend, grpcAs, heavyContext, heavySession, heavySignal } from '../wire/macp.js';
import { listenBody, newerHeaders, useTool } from '../wire/mcp.js';
import { ClosedWindow, endings, type StuckReader, stuckRequest } from '../wire/stuck.js';

const NOTHING = new Uint8Array(0);
const SIGNALS = 256;
const READERS = 100;
const HISTORY_MB = 24;

/** Each of its characters takes nine in an address, so that a notice of a few words has two kilobytes. */
const LONG_KEY = '長'.repeat(255);
const LONG_URIS = ['context', 'summary'].map((path) => `handoff://${path}/${encodeURIComponent(LONG_KEY)}`);

type Open = () => StuckReader;

const watcher =
  (window: ClosedWindow): Open =>
  () =>
    window.open(methods.watchSignals.path, Token.attacker, NOTHING);

const subscriber = (window: ClosedWindow, sessionId: string): Open => {
  const request = encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence: 0 });
  return () => window.open(methods.streamSession.path, Token.attacker, request, { half: false });
};

const eventReader =
  (http: string, sessionId: string): Open =>
  () =>
    stuckRequest(http, `GET /macp/session/${sessionId}/events`, bearer(Token.attacker));

const listener =
  (http: string): Open =>
  () =>
    stuckRequest(
      http,
      'POST /mcp',
      newerHeaders(Token.attacker, 'subscriptions/listen'),
      listenBody(LONG_URIS),
    );

export const stuckReaders: Attack = {
  row: 'H3',
  title: 'readers that never read',

  async probe({ serve, say }) {
    const signals = await serve();
    const sender = grpcAs(signals.grpc, Token.attacker);
    const readers: StuckReader[] = [];
    const watch = watcher(new ClosedWindow(signals.grpc));
    for (let n = 0; n < SIGNALS * 2; n++) {
      if (n % SIGNALS === 0) readers.push(watch());
      await codeOfSend(sender, heavySignal('attacker'));
    }
    await sleep(500);
    say(
      `2 WatchSignals, one after the other, while ${SIGNALS * 2} signals of 1 MiB pass: ${shown(readers)}; ${megabytes(signals.pid)}`,
    );
    const more = Array.from({ length: READERS }, watch);
    await sleep(500);
    say(`${READERS} more WatchSignals of the same identity: ${shown(more)}`);

    const sessions = await serve();
    const writer = grpcAs(sessions.grpc, Token.attacker);
    const sessionId = await heavySession(writer, 'attacker', 'accomplice', HISTORY_MB);
    for (const [name, open] of [
      ['StreamSession', subscriber(new ClosedWindow(sessions.grpc), sessionId)],
      ['server-sent events', eventReader(sessions.http, sessionId)],
    ] as const) {
      const before = memoryOf(sessions.pid)?.now ?? 0;
      const crowd = Array.from({ length: READERS }, open);
      await sleep(3_000);
      const grown = (memoryOf(sessions.pid)?.now ?? 0) - before;
      say(
        `${READERS} readers of ${HISTORY_MB} MiB by ${name}: ${shown(crowd)}; memory grew by ${grown.toFixed(0)} MB`,
      );
      for (const reader of crowd) reader.close();
    }
  },

  async full({ target, over, got }) {
    const { grpc, http } = target;
    const attacker = grpcAs(grpc, Token.attacker);
    const accomplice = grpcAs(grpc, Token.accomplice);
    const sessionId = await heavySession(attacker, 'attacker', 'accomplice', HISTORY_MB);
    await useTool(http, Token.attacker, 'registerSession', { sessionKey: LONG_KEY, agentFrom: 'attacker' });
    const note = { sessionKey: LONG_KEY, contextType: 'message', content: 'x' };
    await Promise.all([
      ...crowds(target, sessionId).map((crowd) => keepUp(over, crowd, got)),
      repeat(over, 10, async () => got(`signal: ${await codeOfSend(accomplice, heavySignal('accomplice'))}`)),
      repeat(over, 2, async () =>
        got(`context: ${await codeOfSend(attacker, heavyContext(sessionId, 'attacker'))}`),
      ),
      repeat(over, 5, async () =>
        got(`note: ${await codeOf(useTool(http, Token.attacker, 'updateContext', note))}`),
      ),
    ]);
  },
};

/** One identity at every door at once, as often as it is let in. Watches come one by one, so that each holds other signals. */
function crowds({ grpc, http }: TargetAddress, sessionId: string): readonly Crowd[] {
  const window = () => new ClosedWindow(grpc);
  return [
    { name: 'WatchSignals', size: 100, perSecond: 4, open: watcher(window()) },
    { name: 'StreamSession', size: 100, perSecond: 8, open: subscriber(window(), sessionId) },
    { name: 'events', size: 100, perSecond: 8, open: eventReader(http, sessionId) },
    { name: 'listen', size: 100, perSecond: 8, open: listener(http) },
  ];
}

const shown = (readers: readonly StuckReader[]): string =>
  Object.entries(endings(readers))
    .map(([how, count]) => `${count} ${how}`)
    .join(', ');

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    ({ code }: { code: string }) => code,
  );
