/** Where captures go: the server of the data folder, or one elsewhere. */
import type { Captured, CaptureRequest, HookRequest } from '../../services/handoffs/capture-request.js';

/** The server understood and said no: saying it again changes nothing. */
export class CaptureRefused extends Error {}

export interface CaptureTarget {
  capture(request: CaptureRequest): Promise<Captured>;
  /** Only says that the agent is there. */
  beat(request: HookRequest): Promise<void>;
}
