/** H17: what is refused although it is right: a scraper, a key as tools write it, an audience that the server names itself. */
import { randomUUID } from 'node:crypto';
import { start } from '../../kit/envelopes.js';
import { freePort } from '../../kit/free-port.js';
import type { Attack } from '../attack.js';
import { ask, bearer } from '../wire/http.js';
import { jwtEnv, paddedKey, signed } from '../wire/jwt.js';
import { codeOfSend, grpcAs } from '../wire/macp.js';

export const refusedFriends: Attack = {
  row: 'H17',
  title: 'friends who are refused',

  async probe({ launch, serve, say }) {
    const port = await freePort();
    await serve({ env: { MACP_METRICS_ADDR: `127.0.0.1:${port}` } });
    const { status } = await ask(`http://127.0.0.1:${port}/metrics`, {
      headers: { host: 'handover.internal:9464' },
    });
    say(`GET /metrics of its own listener as handover.internal:9464: ${status}`);

    const padded = await launch({ env: jwtEnv(paddedKey()) });
    const code = padded.ready ? await starting(padded.grpc, signed({})) : 'refused at start';
    const warnings = padded.said.split('\n').filter((line) => /base64/i.test(line)).length;
    say(`a JWT under an HS256 key in padded base64: ${code}, ${warnings} warnings`);

    const { http, said } = await launch({ env: jwtEnv() });
    const metadata = await ask(`${http}/.well-known/oauth-protected-resource/mcp`);
    const { resource } = JSON.parse(metadata.text) as { resource: string };
    const headers = { ...bearer(signed({ aud: resource })), accept: 'text/event-stream' };
    const refused = (await ask(`${http}/mcp`, { method: 'DELETE', headers })).status === 401;
    const warned = /audience|MCP_PUBLIC_BASE_URL/i.test(said);
    say(
      `a JWT for the audience that the server advertises: ${refused ? '401' : 'accepted'}, ${warned ? 'warned about at start' : 'no warning at start'}`,
    );
  },
};

const starting = (grpc: string, token: string): Promise<string> =>
  codeOfSend(grpcAs(grpc, token), start(randomUUID(), 'agent', { participants: ['agent', 'b'] }));
