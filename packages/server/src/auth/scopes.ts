/** Scopes of the MCP and operation doors. MACP RPCs use the capability flags of the principal instead. */
export const Scope = {
  HANDOFF_READ: 'handoff:read',
  HANDOFF_WRITE: 'handoff:write',
  HANDOFF_OFFER: 'handoff:offer',
  HANDOFF_ACCEPT: 'handoff:accept',
  OPERATION_CREATE: 'operation:create',
  OPERATION_APPROVE: 'operation:approve',
  HANDOFF_ADMIN: 'handoff:admin',
} as const;
export type Scope = (typeof Scope)[keyof typeof Scope];

export const ALL_SCOPES: ReadonlySet<string> = new Set(Object.values(Scope));

/** What a credential that names no scopes may do: everything but administer. */
export const DEFAULT_SCOPES: ReadonlySet<string> = new Set(
  Object.values(Scope).filter((scope) => scope !== Scope.HANDOFF_ADMIN),
);
