/** One WatchSignals call, decoded. */
import type { ClientReadableStream } from '@grpc/grpc-js';
import { decodeMessage, pb } from '@handover/wire';
import type { GrpcClient } from '../../kit/grpc-client.js';
import { until } from '../../kit/until.js';

export class SignalWatch {
  readonly received: pb.Envelope[] = [];
  readonly #call: ClientReadableStream<Buffer>;
  readonly #opened: Promise<unknown>;

  constructor(client: GrpcClient, bearer: string) {
    this.#call = client.watch('watchSignals', bearer);
    this.#opened = new Promise((resolve) => this.#call.on('metadata', resolve));
    this.#call.on('error', () => {});
    this.#call.on('data', (bytes: Buffer) => {
      const envelope = decodeMessage(pb.WatchSignalsResponseSchema, bytes)?.envelope;
      if (envelope) this.received.push(envelope);
    });
  }

  /** Resolves when the server has taken the call, so that nothing sent from now on is missed. */
  async open(): Promise<void> {
    await this.#opened;
  }

  until(last: (envelope: pb.Envelope) => boolean): Promise<void> {
    return until(() => this.received.some(last));
  }

  close(): void {
    this.#call.cancel();
  }
}
