/**
 * Session ids: a canonical lowercase UUID of version 4 or 7, or at least 22 URL-safe characters (128 bits in base64url).
 * Something that looks like a UUID but is of another version or case does not fall through to the second form.
 */
const UUID_LIKE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = /^[A-Za-z0-9_-]{22,}$/;

export const MAX_SESSION_ID_BYTES = 128;
/** Sessions of 0.1.0 may have such ids; they go on. */
export const MAX_OLDER_SESSION_ID_BYTES = 256;

export function isSessionId(id: string, longest = MAX_SESSION_ID_BYTES): boolean {
  if (UUID_LIKE.test(id)) return CANONICAL_UUID.test(id);
  return id.length <= longest && TOKEN.test(id);
}
