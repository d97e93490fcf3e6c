// npm run mcp:conformance [-- --fixtures]: the public conformance suite of MCP, both revisions, against this server, with
// the inspector's schema lint; or against its MCP door with the suite's own tools, resources and prompts. Writes
// docs/reports/mcp-conformance.md or mcp-conformance-fixtures.md. Fails when something fails that is not explained
// (conformance/baseline.mjs), and when something explained has begun to pass. Needs the network once, for the tools; not
// part of `npm test`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BASELINES, surprises } from './conformance/baseline.mjs';
import { node22 } from './conformance/node-22.mjs';
import { report } from './conformance/report.mjs';

const { fixtures } = parseArgs({ options: { fixtures: { type: 'boolean', default: false } } }).values;
const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, 'tools/mcp-conformance');
const scratch = mkdtempSync(join(tmpdir(), 'handover-conformance-'));
const page = `docs/reports/mcp-conformance${fixtures ? '-fixtures' : ''}.md`;
const baseline = BASELINES[fixtures ? 'fixtures' : 'plain'];
const REVISIONS = ['2026-07-28', '2025-11-25'];
const TOOLSETS = process.env.HANDOVER_TOOLSETS ?? 'handoff';
const LIMITS = { MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000', MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000' };

installTools();
const node = node22();
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const server = await (fixtures ? startFixtures() : startServer()).catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
try {
  const results = REVISIONS.map((revision) => ({ revision, scenarios: runSuite(revision) }));
  const lint = fixtures ? undefined : runLint();
  const { dependencies } = JSON.parse(readFileSync(join(tools, 'package.json'), 'utf8'));
  const version = dependencies['@modelcontextprotocol/conformance'];
  const shown = lint && { ...lint, version: dependencies['@modelcontextprotocol/inspector'] };
  writeFileSync(
    join(root, page),
    report({ fixtures, version, toolsets: TOOLSETS, baseline, results, lint: shown }),
  );
  const news = results.flatMap((result) => surprises(baseline, result));
  for (const line of news) console.error(line);
  console.log(`written: ${page}; ${news.length} surprises${lint ? `; lint: ${lint.summary}` : ''}`);
  process.exitCode = news.length === 0 && (lint?.status ?? 0) === 0 ? 0 : 1;
} finally {
  server.kill('SIGTERM');
}

function installTools() {
  if (existsSync(join(tools, 'node_modules/@modelcontextprotocol/conformance'))) return;
  const args = ['install', '--no-fund', '--no-audit', '--no-package-lock'];
  if (spawnSync('npm', args, { cwd: tools, stdio: 'inherit' }).status !== 0)
    throw new Error('the suite could not be installed');
}

function startServer() {
  const binary = join(root, 'packages/server/bin/handover.js');
  const args = [binary, 'serve', '--dev', '--memory-only', '--http-port', '0', '--bind', '127.0.0.1:0'];
  return started(args, { ...LIMITS, HANDOVER_TOOLSETS: TOOLSETS }, (said) => {
    const url = / http=(\S+)/.exec(said)?.[1];
    return url && `${url}/mcp`;
  });
}

function startFixtures() {
  const args = ['--import', 'tsx', join(root, 'test/mcp/fixtures/serve.ts')];
  return started(args, LIMITS, (said) => /ready mcp=(\S+)/.exec(said)?.[1]);
}

function started(args, env, urlIn) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-2_000);
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${complaint}`)));
    child.stdout.on('data', (chunk) => {
      const url = urlIn(String(chunk));
      if (url) resolve(Object.assign(child, { url }));
    });
  });
}

function runSuite(revision) {
  const out = join(scratch, revision);
  const suite = join(tools, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  spawnSync(node, [suite, 'server', '--url', server.url, '--requirements', revision, '-o', out], {
    stdio: 'ignore',
    timeout: 600_000,
  });
  return readdirSync(out)
    .map((folder) => {
      const checks = JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8'));
      const count = (status) => checks.filter((check) => check.status === status).length;
      const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      return { name, passed: count('SUCCESS'), failed: count('FAILURE'), warned: count('WARNING') };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

function runLint() {
  const inspector = join(tools, 'node_modules/.bin/mcp-inspector');
  const args = ['--cli', '--server-url', server.url, '--transport', 'http', '--protocol-era', 'modern'];
  const { status, stderr } = spawnSync(
    node,
    [inspector, ...args, '--method', 'tools/list', '--strict', '--format', 'json'],
    { encoding: 'utf8', env: { ...process.env, HOME: scratch } },
  );
  return {
    status,
    summary:
      /\d+ errors?, \d+ warnings?.*$/m.exec(stderr)?.[0] ?? (stderr.trim() || 'no errors, no warnings'),
  };
}
