/**
 * One endless iteration over many connections.
 *
 * R1. What `connect` yields is passed on; when it ends or fails in a way that may pass, it is called again after a wait.
 * R2. A refusal (MacpAckError) and a status that would only repeat itself are thrown.
 * R3. The wait starts over after every delivered value.
 * R4. When the signal fires, the iteration ends without an error.
 */
import { MacpTransportError } from '../errors.js';
import { Backoff, type ReconnectPolicy } from './backoff.js';
import { tellOfCut } from './refused-stream.js';
import { isFinal } from './status.js';

export async function* reconnecting<T>(
  connect: () => AsyncGenerator<T>,
  what: string,
  policy: ReconnectPolicy | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, void> {
  const backoff = new Backoff(policy);
  while (!signal?.aborted) {
    let cut = new MacpTransportError(`${what}: the runtime ended the stream`, 'UNAVAILABLE');
    try {
      for await (const value of connect()) {
        backoff.reset();
        yield value;
      }
    } catch (thrown) {
      if (!(thrown instanceof MacpTransportError) || isFinal(thrown)) throw thrown;
      cut = thrown;
    }
    if (signal?.aborted) return;
    if (backoff.exhausted) throw cut;
    tellOfCut(what, cut);
    await backoff.wait(signal, cut.retryAfterMs);
  }
}
