/** Refusals of the transport itself, in the form that MCP clients read. */
export const RpcCode = {
  Parse: -32_700,
  Invalid: -32_600,
  Params: -32_602,
  Internal: -32_603,
  Session: -32_001,
  Server: -32_000,
} as const;

export function rpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
