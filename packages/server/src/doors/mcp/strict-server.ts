/**
 * The SDK's server, but parameters of the wrong form are refused as such (-32602). The SDK itself answers most of them
 * with "internal error", as if the server had failed.
 */
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

interface SchemaIssue {
  readonly path?: readonly unknown[];
  readonly message?: unknown;
}

const MAX_ISSUES = 5;
const MAX_TEXT = 200;

export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (thrown) {
        const issues = schemaIssues(thrown);
        if (!issues) throw thrown;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}: ${issues}`);
      }
    };
  }
}

/** What the schema says, when it was the schema: the SDK throws a bare Error whose text is the list of issues. */
function schemaIssues(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown.constructor !== Error || !thrown.message.startsWith('['))
    return undefined;
  try {
    const issues = JSON.parse(thrown.message) as readonly SchemaIssue[];
    const said = issues.slice(0, MAX_ISSUES).map(({ path = [], message }) => `${path.join('.')}: ${message}`);
    return said.map((text) => text.slice(0, MAX_TEXT)).join('; ');
  } catch {
    return undefined;
  }
}
