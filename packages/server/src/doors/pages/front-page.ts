/** What a person sees who opens the server's address: what this is, its doors, and lines to copy. Two forms, one text. */
import { shellLine } from '@handover/core';

export interface FrontFacts {
  readonly version: string;
  /** The address under which the visitor came, or the one that the operator has named. */
  readonly baseUrl: string;
  readonly grpcPort: number | undefined;
  /** Without credentials: a bearer value is the name of an agent. */
  readonly dev: boolean;
}

interface Part {
  readonly title: string;
  readonly says: readonly string[];
  /** Lines to copy. */
  readonly lines?: readonly string[];
}

function partsOf({ baseUrl, grpcPort, dev }: FrontFacts): readonly Part[] {
  const bearer = dev ? 'claude' : 'YOUR-TOKEN';
  const { hostname } = new URL(baseUrl);
  const who = dev
    ? 'This server runs in dev mode: it trusts every caller on this machine, and a bearer value is the name of an agent.'
    : 'Every caller needs a token; ask whoever runs this server for yours.';
  return [
    {
      title: 'You got a link?',
      says: [
        'Open the whole link, with everything behind the # sign: without it the page cannot show what you are asked to sign.',
      ],
    },
    {
      title: 'Connect an assistant',
      says: [
        who,
        'MCP over HTTP is at /mcp. Claude Code, for example: with its hooks and commands, or without the handover command:',
      ],
      lines: [
        shellLine(
          'install',
          ['claude'],
          [['--server', baseUrl], dev ? ['--agent', 'claude'] : ['--token', '@YOUR-TOKEN-FILE']],
        ),
        `claude mcp add --transport http handover "${baseUrl}/mcp?toolsets=handoff" --header "Authorization: Bearer ${bearer}"`,
      ],
    },
    {
      title: 'Connect an agent',
      says: [
        'MACP over HTTP (POST /macp/v1/ and the name of the call, JSON) or gRPC, every call on both. The manifest says what this runtime can do:',
      ],
      lines: [
        `curl ${baseUrl}/.well-known/macp.json`,
        `curl ${baseUrl}/macp/v1/Initialize -H "Content-Type: application/json" -d '{"supported_protocol_versions": ["1.0"]}'`,
        ...(grpcPort === undefined ? [] : [`gRPC: ${hostname}:${grpcPort}`]),
      ],
    },
    {
      title: 'Run it',
      says: ['For whoever runs this server:'],
      lines: [`curl ${baseUrl}/health`, `curl ${baseUrl}/ready`, 'handover help'],
    },
  ];
}

const WHAT =
  'Agents and people hand responsibility to one another here, and can prove afterwards what happened.';

export function frontText(facts: FrontFacts): string {
  const parts = partsOf(facts).map(({ title, says, lines = [] }) =>
    [title, ...says.map((one) => `  ${one}`), ...lines.map((one) => `    ${one}`)].join('\n'),
  );
  return `Handover ${facts.version}\n${WHAT}\n\n${parts.join('\n\n')}\n`;
}

export const FRONT_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8d8d2, #3d3d3a); --soft: light-dark(#f5f5f1, #232321); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.6rem; margin: 0; } h1 small { font-weight: 400; font-size: 1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; } p { margin: .25rem 0; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; user-select: all; }
`;

export function frontHtml(facts: FrontFacts): string {
  const parts = partsOf(facts).map(({ title, says, lines = [] }) => {
    const copied = lines.map((one) => `<pre>${escaped(one)}</pre>`);
    return `<h2>${escaped(title)}</h2>${says.map((one) => `<p>${escaped(one)}</p>`).join('')}${copied.join('')}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Handover</title><style>${FRONT_STYLE}</style></head>
<body><main><h1>Handover <small>${escaped(facts.version)}</small></h1><p>${escaped(WHAT)}</p>
${parts.join('\n')}
</main></body></html>
`;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
