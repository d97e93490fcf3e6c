/** The routes of `/api/v1`: what each may be told, who may tell it, and which service takes it. */
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import { CAPTURE_FIELDS, HOOK_FIELDS } from '../../services/handoffs/capture-request.js';
import { type HookServices, takeCapture, takeHook } from '../../services/handoffs/hook-visits.js';
import type { Outcome } from '../../services/outcome.js';

export interface Route {
  readonly path: string;
  readonly scope: Scope;
  /** Beside `agent`, which every request may name. */
  readonly fields: readonly string[];
  /** What this request needs besides. */
  furtherScope?(fields: Readonly<Record<string, unknown>>): Scope | undefined;
  take(services: HookServices, principal: Principal, fields: unknown): Promise<Outcome<object>>;
}

export const ROUTES: readonly Route[] = [
  {
    path: '/hook',
    scope: Scope.HANDOFF_READ,
    fields: HOOK_FIELDS,
    take: (services, principal, fields) => takeHook(services, principal, fields, { transport: 'http' }),
  },
  {
    path: '/capture',
    scope: Scope.HANDOFF_WRITE,
    fields: CAPTURE_FIELDS,
    furtherScope: ({ park }) => (park === true ? Scope.HANDOFF_OFFER : undefined),
    take: (services, principal, fields) => takeCapture(services, principal, fields, { transport: 'http' }),
  },
];
