/**
 * The text of a gRPC status, short enough for a trailer. Clients bound what they take of headers, and one that gets more gives up the
 * whole connection with every call on it: a text that quotes what somebody sent must not be as long as that.
 */
import { fixedLimits } from '../../config/fixed-limits.js';

const MOST = fixedLimits.grpcStatusTextBytes.value;
const CUT = ' (cut)';
const HALF_PAIR = /\p{Cs}/u;

/** Counted as it is sent, percent-encoded. Half a pair of surrogates has no such form: grpc-js would throw. */
export function statusText(text: string): string {
  let shown = '';
  let bytes = 0;
  for (const point of text) {
    const whole = HALF_PAIR.test(point) ? '\ufffd' : point;
    bytes += encodeURI(whole).length;
    if (bytes > MOST) return shown + CUT;
    shown += whole;
  }
  return shown;
}
