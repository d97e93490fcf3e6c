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

/** What an MCP client asks for at first. More is asked for when a call needs it; nobody is led to ask to administer. */
export const CLIENT_SCOPES: readonly Scope[] = [
  Scope.HANDOFF_READ,
  Scope.HANDOFF_WRITE,
  Scope.HANDOFF_OFFER,
  Scope.HANDOFF_ACCEPT,
];

/** What a credential that names no scopes may do: everything but administer. */
export const DEFAULT_SCOPES: ReadonlySet<string> = new Set(
  Object.values(Scope).filter((scope) => scope !== Scope.HANDOFF_ADMIN),
);
