/** The status table of docs/spec/macp.md 7.3, copied by hand: the server's own table is what is being tested. */
export const HTTP_STATUS: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  SESSION_NOT_FOUND: 404,
  SESSION_NOT_OPEN: 409,
  SESSION_ALREADY_EXISTS: 409,
  INVALID_ENVELOPE: 400,
  UNSUPPORTED_PROTOCOL_VERSION: 400,
  MODE_NOT_SUPPORTED: 400,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INVALID_SESSION_ID: 400,
  INTERNAL_ERROR: 500,
  UNKNOWN_POLICY_VERSION: 404,
  POLICY_DENIED: 403,
  INVALID_POLICY_DEFINITION: 400,
};

/** Where a call is refused by gRPC status, HTTP says the same with this one. */
export const GRPC_COUNTERPART: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
};
