/** Webhooks: endpoints, events, and deliveries that are pending or given up. */

export const WebhookEventType = {
  Offered: 'handoff.offered',
  Accepted: 'handoff.accepted',
  Declined: 'handoff.declined',
  Committed: 'handoff.committed',
  Expired: 'handoff.expired',
  Cancelled: 'handoff.cancelled',
  Taken: 'handoff.taken',
  SessionParked: 'session.parked',
  OperationCreated: 'operation.created',
  OperationUpdated: 'operation.updated',
  OperationCompleted: 'operation.completed',
  OperationFailed: 'operation.failed',
  OperationCancelled: 'operation.cancelled',
  OperationExpired: 'operation.expired',
  OperationChanged: 'operation.changed',
  OperationSettled: 'operation.settled',
  OperationSuperseded: 'operation.superseded',
} as const;
export type WebhookEventType = (typeof WebhookEventType)[keyof typeof WebhookEventType];

/**
 * Each of these repeats, for those who want to hear of nothing else, what another event says of the same change. Who names no
 * events gets none of them, so that one change is one delivery.
 */
export const REPEATING_EVENTS: ReadonlySet<WebhookEventType> = new Set([
  WebhookEventType.OperationChanged,
  WebhookEventType.OperationSettled,
  WebhookEventType.OperationSuperseded,
]);

/** An address that the operator configured. Never holds a readable secret. */
export interface WebhookEndpoint {
  /** Stable over restarts, so that pending deliveries still find their endpoint. */
  readonly id: string;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEventType>;
  readonly tenant: string;
  /** Returns the value of the `webhook-signature` header. */
  sign(id: string, timestampSeconds: number, body: string): string;
}

/** What is sent: ids, agents and a status only, so that a wrong receiver learns little. */
export interface WebhookEvent {
  /** The same at every attempt and after every restart; receivers recognise repetitions by it. */
  readonly id: string;
  readonly type: WebhookEventType;
  /** When it happened. */
  readonly at: number;
  readonly tenant: string;
  readonly data: HandoffData | SessionData | OperationData;
}

export interface HandoffData {
  readonly handoffId: string;
  readonly macpSessionId: string;
  readonly sessionKey?: string;
  readonly requestType?: string;
  readonly from: string;
  readonly to: string;
  /** Who let it be taken from a silent owner; absent: it was handed over. */
  readonly authority?: 'operator';
  /** The status that callers see: pending, completed or failed. */
  readonly status: string;
}

/** A working session that its owner left for whoever comes next. */
export interface SessionData {
  readonly sessionKey: string;
  readonly requestType: string;
  readonly from: string;
  readonly to: '*';
  readonly status: 'pending';
}

export interface OperationData {
  /** The op_, bd_ or ss_ id. It names a record and gives no access to it. */
  readonly operationId: string;
  readonly family: string;
  readonly createdBy: string;
  /** The status after this entry; absent: unchanged. */
  readonly status?: string;
  /** What moved; absent: unchanged. */
  readonly effect?: string;
  /** Why, in the words of `ReasonCode`; absent: unchanged, or there is none. */
  readonly reasonCode?: string;
  /** What the server found on the chain. */
  readonly verification?: string;
  /** The number of the receipt that was issued. */
  readonly receipt?: number;
}

export interface Delivery {
  readonly event: WebhookEvent;
  readonly endpointId: string;
  readonly attempts: number;
  /** Not before this time. */
  readonly nextAt: number;
}

/** A delivery that was given up. */
export interface DeadLetter {
  readonly event: WebhookEvent;
  readonly endpointId: string;
  readonly url: string;
  readonly attempts: number;
  readonly failedAt: number;
  /** Why the last attempt failed. It holds no text that the receiver sent. */
  readonly reason: string;
}
