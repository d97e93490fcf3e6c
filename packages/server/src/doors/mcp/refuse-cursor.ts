import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Lists of this server are one page, so any cursor is somebody else's. */
export function refuseCursor(params: { readonly cursor?: unknown } | undefined): void {
  if (params?.cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of this server');
}
