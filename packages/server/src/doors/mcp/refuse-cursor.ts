import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Lists of this server have one page, so this server never gave out the cursor. */
export function refuseCursor(params: { readonly cursor?: unknown } | undefined): void {
  if (params?.cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of this server');
}
