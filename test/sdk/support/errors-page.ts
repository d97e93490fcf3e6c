/** docs/reference/sdk-errors.md, made of what the SDKs say. */
import type { Mistake } from './mistakes.js';

/** What an SDK says to a mistake, without what differs from run to run. */
export interface Said {
  readonly error: string;
  /** The protocol's code, or the status of gRPC where no runtime has judged. */
  readonly code?: string;
  readonly argument?: string;
  readonly message: string;
  /** Whether it says how long to wait. */
  readonly retryAfter?: boolean;
  /** Codes of the denials of a policy. */
  readonly denials?: readonly string[];
}

const HEAD = `# Errors of the SDKs

Every error is a \`MacpSdkError\`. A mistake in an argument is told before anything is sent, and names the argument; everything
else carries a code, a message, the ids of session and message, the reasons of a policy, how long to wait, and what to do next.
This page is made by \`test/sdk/mistakes.test.ts\`, which makes each mistake in both languages. They say the same, each with
its own names; what another library tells only one of them is in its column alone.

## The classes

| class | when | what it has besides |
| --- | --- | --- |
| \`MacpSessionError\` | an argument is wrong; nothing was sent | \`argument\` |
| \`MacpIdentityMismatchError\` | the credential is somebody else's; nothing was sent | \`argument\`, \`expectedSender\`, \`actualSender\` |
| \`MacpSessionEndedError\` | the session expired, or was ended, during a wait | \`state\` |
| \`MacpUnsupportedError\` | the runtime does not offer it; nothing was sent | |
| \`MacpClosedError\` | the client, or the stream, was closed | |
| \`MacpAckError\` | the runtime refused a message | \`ack\`, \`failure\` |
| \`MacpTransportError\` | the call failed, or was refused as a whole | \`code\`, the gRPC status |
| \`MacpConnectionError\` | no connection, by a mistake that the message names; never tried again | as above |
| \`MacpTimeoutError\` | the deadline passed; whether it was accepted is not known | as above |
| \`MacpRetryError\` | all attempts failed | as above, \`attempts\`, and \`failure\`, the error of the last |
| \`MacpUnknownSessionError\`, \`MacpTooLargeError\` | SESSION_NOT_FOUND and PAYLOAD_TOO_LARGE; each is a \`MacpAckError\` or a \`MacpTransportError\`, too, by how it came | as there |

All have \`macpCode\`, \`sessionId\`, \`messageId\`, \`reasons\`, \`denials\` (\`code\`, \`message\`, \`participants\`), \`retryAfterMs\` and \`advice\`.
Python writes them in its own way: \`macp_code\`, \`retry_after_ms\`. Classes and codes are the same in both languages.
`;

type Column = Readonly<Record<string, Said>>;

export function errorsPage(
  mistakes: readonly Pick<Mistake, 'id' | 'mistake'>[],
  typescript: Column,
  python: Column,
  advice: Readonly<Record<string, string>>,
): string {
  const rows = mistakes.map(({ id, mistake }) => row([mistake, cell(typescript[id]), cell(python[id])]));
  const codes = Object.entries(advice).map(([code, text]) => row([`\`${code}\``, text]));
  return `${HEAD}
## Mistakes, and what is said

${table(['mistake', 'TypeScript', 'Python'], rows)}
## What to do, by code

${table(['code', 'advice'], codes)}`;
}

function cell(said: Said | undefined): string {
  if (!said) return 'not tried';
  const { error, code, argument, message, retryAfter, denials } = said;
  const of = argument !== undefined ? ` \`${argument}\`` : code !== undefined ? ` \`${code}\`` : '';
  const more = [
    ...(retryAfter ? ['says how long to wait'] : []),
    ...(denials ? [`denials: ${denials.join(', ')}`] : []),
  ];
  return `\`${error}\`${of}: ${message}${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
}

const row = (cells: readonly string[]) =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;

function table(heads: readonly string[], rows: readonly string[]): string {
  return `${row(heads)}${row(heads.map(() => '---'))}${rows.join('')}`;
}
