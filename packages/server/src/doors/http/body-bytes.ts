/**
 * The bytes of a body, gathered as they arrive in one buffer that grows with them: a piece that is kept by itself takes
 * some hundred bytes besides its own.
 *
 * A body in many tiny pieces costs far more than its bytes say, so it is refused once it has more pieces than any
 * program that writes text would make.
 */
import { fixedLimits } from '../../config/fixed-limits.js';

const FIRST_BYTES = 4_096;
const FREE_PIECES = fixedLimits.bodyFreePieces.value;
const MEAN_BYTES = fixedLimits.bodyPieceBytes.value;

export class BodyBytes {
  #bytes = Buffer.allocUnsafeSlow(0);
  #size = 0;
  #pieces = 0;

  get size(): number {
    return this.#size;
  }

  get isTooFine(): boolean {
    return this.#pieces > FREE_PIECES + this.#size / MEAN_BYTES;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) this.#grow(size);
    this.#bytes.set(piece, this.#size);
    this.#size = size;
    this.#pieces += 1;
  }

  /** In a buffer of its own. */
  whole(): Uint8Array {
    const { buffer } = this.#bytes;
    return new Uint8Array(buffer.byteLength === this.#size ? buffer : buffer.slice(0, this.#size));
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * this.#bytes.length, size));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }
}
