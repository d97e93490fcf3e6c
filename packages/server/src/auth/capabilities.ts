/**
 * The capability fields that static tokens and JWT `macp_scopes` share (docs/spec/macp.md 6.2, 6.3). A field of the
 * wrong type is a flaw, never a default: `"can_start_sessions": "false"` must not grant anything.
 */
export interface Capabilities {
  readonly canStartSessions: boolean;
  readonly canManageModeRegistry: boolean;
  readonly isObserver: boolean;
  readonly allowedModes?: ReadonlySet<string>;
  readonly maxOpenSessions?: number;
}

export const CAPABILITY_FIELDS: ReadonlySet<string> = new Set([
  'can_start_sessions',
  'can_manage_mode_registry',
  'is_observer',
  'allowed_modes',
  'max_open_sessions',
]);

export type CapabilitiesResult =
  | { readonly ok: true; readonly capabilities: Capabilities }
  /** Which field, and what it must be. */
  | { readonly ok: false; readonly flaw: string };

/** Static tokens read an empty `allowed_modes` as all modes, JWTs as none: both are what existing clients expect. */
export type EmptyModes = 'all' | 'none';

export function readCapabilities(
  source: Readonly<Record<string, unknown>>,
  emptyModes: EmptyModes,
): CapabilitiesResult {
  const start = source.can_start_sessions ?? true;
  const manage = source.can_manage_mode_registry ?? false;
  const observer = source.is_observer ?? false;
  const modes = source.allowed_modes ?? undefined;
  const open = source.max_open_sessions ?? undefined;
  if (typeof start !== 'boolean') return flaw('can_start_sessions must be true or false');
  if (typeof manage !== 'boolean') return flaw('can_manage_mode_registry must be true or false');
  if (typeof observer !== 'boolean') return flaw('is_observer must be true or false');
  if (modes !== undefined && !isTextList(modes)) return flaw('allowed_modes must be a list of mode names');
  if (open !== undefined && !isCount(open))
    return flaw('max_open_sessions must be a whole number, 0 or more');
  const restricted = modes !== undefined && (modes.length > 0 || emptyModes === 'none');
  return {
    ok: true,
    capabilities: {
      canStartSessions: start,
      canManageModeRegistry: manage,
      isObserver: observer,
      ...(restricted ? { allowedModes: new Set(modes) } : {}),
      ...(open === undefined ? {} : { maxOpenSessions: open }),
    },
  };
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function flaw(text: string): CapabilitiesResult {
  return { ok: false, flaw: text };
}
