/**
 * A server elsewhere. What is sent was redacted here; transcripts, and the path of the project, stay here.
 *
 * A token that may write but not offer still records where a conversation stands; it only cannot leave it for others.
 */
import { Scope } from '../../auth/scopes.js';
import type { Captured } from '../../services/handoffs/capture-request.js';
import { type ApiAnswer, postApi, type RemotePlace } from '../remote/post-api.js';
import { CaptureRefused, type CaptureTarget } from './capture-target.js';

const CAPTURE_MS = 30_000;
const BEAT_MS = 10_000;

export function remoteTarget(place: RemotePlace, note: (what: string) => void): CaptureTarget {
  return {
    async capture(request) {
      const answer = await postApi(place, 'capture', request, CAPTURE_MS);
      if (!request.park || answer.kind !== 'later' || answer.requiredScope !== Scope.HANDOFF_OFFER)
        return captured(answer);
      note(`it is not left for others: ${answer.why.message}`);
      return captured(await postApi(place, 'capture', { ...request, park: false }, CAPTURE_MS));
    },
    async beat(request) {
      taken(await postApi(place, 'hook', request, BEAT_MS));
    },
  };
}

/** The key is written down and sent again, so one that no session can have is passed over. */
function captured(answer: ApiAnswer): Captured {
  const { sessionKey, ...others } = taken(answer) as Captured;
  return isKey(sessionKey) ? { ...others, sessionKey } : others;
}

const MAX_KEY = 255;
const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_KEY && !/[\p{Cc}\p{Cs}]/u.test(value);

function taken(answer: ApiAnswer): unknown {
  if (answer.kind === 'done') return answer.value;
  throw answer.kind === 'refused' ? new CaptureRefused(answer.why.message) : answer.why;
}
