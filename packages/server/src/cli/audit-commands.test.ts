import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson, type Json, type JsonObject } from '@handover/core';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyring } from '../keys/keyring.js';
import { changed } from '../proof/json-leaves.test.helper.js';
import { idOf, tellStories, World } from '../proof/stories.test.helper.js';
import { openSqliteStore } from '../store/sqlite/index.js';
import type { ExitCode } from './conventions/exit-code.js';
import { failureOf } from './conventions/failure.js';
import type { Output } from './conventions/output.js';
import { printable } from './conventions/printable.js';
import { failureText } from './conventions/report.js';
import { exportSession } from './export.js';
import { receiptOfHandoff } from './receipt.js';
import { type VerifyOptions, verify } from './verify.js';

let parent: string;
let data: string;
let closeStore: () => Promise<void>;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-cli-'));
  data = join(parent, 'data');
  // It stays open: the commands run beside a server.
  const store = await openSqliteStore({ directory: data, diskFloorBytes: 0 });
  closeStore = () => store.close();
  await tellStories(new World(store));
  openKeyring(data);
  process.env.HANDOVER_DATA_DIR = join(parent, 'nothing here');
});
afterAll(async () => {
  delete process.env.HANDOVER_DATA_DIR;
  await closeStore();
  await rm(parent, { recursive: true });
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(act: (output: Output) => Promise<ExitCode>): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const output = { out: (text: string) => void out.push(text), note: (text: string) => void err.push(text) };
  const code = await act(output).catch((thrown: unknown) => {
    const failure = failureOf(thrown);
    err.push(failureText(failure));
    return failure.exit;
  });
  return { code, out: out.join(''), err: err.join('') };
}

const accepted = idOf('accepted');
const check = (path: string, options: VerifyOptions = {}) => run((output) => verify(path, options, output));
const doExport = (options: object = {}, session = accepted) =>
  run((output) => exportSession(session, { data, ...options }, output));
const doReceipt = (session = accepted, handoff?: string, options: object = {}) =>
  run((output) => receiptOfHandoff(session, handoff, { data, ...options }, output));

async function file(name: string, text: string): Promise<string> {
  const path = join(parent, name);
  await writeFile(path, text);
  return path;
}

describe('handover export', () => {
  it('writes canonical JSON that verify accepts, beside a running server', async () => {
    const { code, out } = await doExport();
    expect(code).toBe(0);
    expect(out).toBe(`${canonicalJson(JSON.parse(out))}\n`);
    const verdict = await check(await file('export.json', out));
    expect(verdict).toMatchObject({
      code: 0,
      out: expect.stringMatching(/entries +7\n[\s\S]*state +RESOLVED\n[\s\S]*OK/),
    });
    expect(JSON.parse((await check(join(parent, 'export.json'), { json: true })).out)).toMatchObject({
      ok: true,
      kind: 'export',
      stream: `session/${accepted}`,
      head: { seq: 7 },
      state: 'RESOLVED',
      state_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('writes a private file and never over another one unasked', async () => {
    const out = join(parent, 'out.json');
    expect((await doExport({ out })).code).toBe(0);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await doExport({ out })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists\. --force/),
    });
    await writeFile(out, 'x'.repeat(100_000));
    expect((await doExport({ out, force: true })).code).toBe(0);
    expect((await check(out)).code).toBe(0);
  });

  it('says when there is no such session, tenant or folder', async () => {
    expect(await doExport({}, 'nobody')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/no session nobody of tenant default/),
    });
    expect((await doExport({ tenant: 'other' })).code).toBe(3);
    expect((await doExport({ tenant: 'other' }, idOf('cancelled-early'))).code).toBe(0);
    expect(await doExport({ data: join(parent, 'none') })).toMatchObject({
      code: 3,
      err: expect.stringMatching(/no Handover data/),
    });
  });
});

describe('handover receipt', () => {
  it('is accepted by verify with the key, the folder, and by a script of node:crypto', async () => {
    const { code, out } = await doReceipt();
    expect(code).toBe(0);
    const path = await file('receipt.json', out);
    const key = openKeyring(data).publicKeys()[0]?.publicKey ?? '';
    const keyFile = await file('key.txt', `${key}\n`);
    for (const options of [{ data }, { key: [key] }, { key: [keyFile] }, { against: data }])
      expect(await check(path, options), JSON.stringify(options)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/OK: signature valid, signer known/),
      });
    const script = fileURLToPath(new URL('../proof/independent-check.test.helper.mjs', import.meta.url));
    const checked = (...args: string[]) => spawnSync(process.execPath, [script, path, ...args]).status;
    expect([checked(key), checked()]).toEqual([0, 2]);
  });

  it('without the key: valid, signer unknown, exit 2', async () => {
    const path = await file('receipt-2.json', (await doReceipt()).out);
    expect(await check(path)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/\nsignature valid, signer unknown; --key .*\n$/),
    });
    expect(JSON.parse((await check(path, { json: true })).out)).toMatchObject({
      ok: false,
      signer: 'unknown',
      flaws: [],
    });
    expect(await check(path, { key: ['nonsense'] })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--key takes/),
    });
  });

  it('compares with an export, a database file or a folder, by name', async () => {
    const path = await file('receipt-3.json', (await doReceipt()).out);
    const other = await file('other.json', (await doExport({}, idOf('reoffered'))).out);
    const same = await file('same.json', (await doExport()).out);
    expect(await check(path, { data, against: same })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/the log gives the same receipt/),
    });
    expect(await check(path, { data, against: other })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/belongs to another stream/),
    });
    const shorter = JSON.parse(await readFile(same, 'utf8')) as JsonObject;
    const cut = await file(
      'cut.json',
      canonicalJson({ ...shorter, entries: (shorter.entries as Json[]).slice(0, 5) }),
    );
    expect((await check(cut)).code).toBe(0);
    // A chain alone does not show that its end was cut off.
    expect(await check(path, { data, against: cut })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/session is open/),
    });
  });

  it('names what is wrong with a changed one', async () => {
    const receipt = JSON.parse((await doReceipt()).out) as Json;
    const lie = await file('lie.json', canonicalJson(changed(receipt, ['holder'], 'eve')));
    expect(await check(lie, { data })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/FLAW .*: signature: does not fit/),
    });
    const odd = await file('odd.json', canonicalJson(changed(receipt, ['offer', 'target'], 1)));
    expect(await check(odd, { data })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/offer.target: must be text/),
    });
  });

  it('is not given for what has not ended, is not there, or without a key', async () => {
    expect(await doReceipt(idOf('open'))).toMatchObject({
      code: 3,
      err: expect.stringMatching(/session is open; a receipt is given when/),
    });
    expect(await doReceipt(accepted, 'h9')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/names no offer/),
    });
    const keyless = join(parent, 'keyless');
    await mkdir(keyless);
    const db = new Libsql(join(data, 'handover.db'));
    db.exec(`VACUUM INTO '${join(keyless, 'handover.db')}'`);
    db.close();
    expect(await doReceipt(accepted, undefined, { data: keyless })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no signing key yet/),
    });
  });
});

describe('handover verify', () => {
  it('of the data, in words and as JSON', async () => {
    expect(await check(data)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/list tables match the log\nOK/),
    });
    expect(JSON.parse((await check(data, { json: true })).out)).toMatchObject({
      ok: true,
      kind: 'data',
      flaws: [],
      more_flaws: 0,
    });
  });

  it('names flaws of a copy, and neither exports nor signs what is flawed', async () => {
    const copy = join(parent, 'copy');
    await mkdir(copy);
    const db = new Libsql(join(data, 'handover.db'));
    db.exec(`VACUUM INTO '${join(copy, 'handover.db')}'`);
    db.close();
    await copyFile(join(data, 'receipt-keys.json'), join(copy, 'receipt-keys.json'));
    const tampered = new Libsql(join(copy, 'handover.db'));
    tampered.exec(
      `UPDATE entries SET actor = x'657665' WHERE seq = 5 AND stream = (SELECT id FROM streams WHERE name = CAST('${accepted}' AS BLOB))`,
    );
    tampered.close();
    const expected = new RegExp(
      `FLAW default session/${accepted}, entry 5: hash of entry 5 does not match its contents`,
    );
    expect(await check(copy)).toMatchObject({ code: 1, out: expect.stringMatching(expected) });
    expect(await check(join(copy, 'handover.db'))).toMatchObject({
      code: 1,
      out: expect.stringMatching(expected),
    });
    for (const refused of [
      await doExport({ data: copy }),
      await doReceipt(accepted, undefined, { data: copy }),
    ])
      expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/flawed, entry 5/) });
  });

  it.skipIf(process.getuid?.() === 0)('of a copy in a folder that cannot be written', async () => {
    const frozen = join(parent, 'frozen');
    await mkdir(frozen);
    const db = new Libsql(join(data, 'handover.db'));
    db.exec(`VACUUM INTO '${join(frozen, 'handover.db')}'`);
    db.close();
    await chmod(frozen, 0o500);
    expect((await check(frozen)).code).toBe(0);
    await chmod(frozen, 0o700);
  });

  it('of something else', async () => {
    expect((await check(join(parent, 'missing'))).code).toBe(3);
    expect((await check(await mkdtemp(join(parent, 'empty-')))).code).toBe(3);
    expect((await doExport({ data: join(parent, 'missing') })).code).toBe(3);
    expect(await check(await file('text.json', 'no json'))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/not JSON/),
    });
    expect(await check(await file('format.json', '{"format":"x"}'))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/format: must be .*, or receipt_format "macp-receipt\/1"/),
    });
    expect(await check(await file('broken.db', 'SQLite format 3 and then nothing'))).toMatchObject({
      code: 1,
    });
  });

  it('prints nothing that could move the cursor', () => {
    expect(printable('a\u001b[2Jb\u202e\u0085c')).toBe('a\\u{1b}[2Jb\\u{202e}\\u{85}c');
    expect(printable('a\u3164b\u2800⚠\ufe0f')).toBe('a\\u{3164}b\\u{2800}⚠\ufe0f');
  });
});
