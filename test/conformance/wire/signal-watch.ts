/** One WatchSignals call: the envelopes that came. */
import type { pb } from '@handover/wire';
import type { GrpcClient } from '../../kit/grpc-client.js';
import type { GrpcWatch } from '../../kit/grpc-watch.js';
import { until } from '../../kit/until.js';

export class SignalWatch {
  readonly #watch: GrpcWatch<pb.WatchSignalsResponse>;

  constructor(client: GrpcClient, bearer: string) {
    this.#watch = client.watch('watchSignals', bearer);
  }

  get received(): readonly pb.Envelope[] {
    return this.#watch.frames.flatMap(({ envelope }) => (envelope ? [envelope] : []));
  }

  /** Resolves when the server has taken the call, so that nothing sent from now on is missed. */
  async open(): Promise<void> {
    await this.#watch.opened;
  }

  until(last: (envelope: pb.Envelope) => boolean): Promise<boolean> {
    return until(() => this.received.some(last));
  }

  close(): void {
    this.#watch.cancel();
  }
}
