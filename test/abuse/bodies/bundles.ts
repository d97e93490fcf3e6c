/**
 * Documents whose check costs far more than their size, as JSON text. Each makes another part of a validator multiply
 * two numbers that the sender chooses.
 */
const rule = (alias: string, more: string) =>
  `{"id":"${alias}","bundleId":"b","address":"cm:xrc137:${alias}","meta":{"type":"xrc137","alias":"${alias}","bundleId":"b"},${more}}`;

const bundle = (structure: string, rules: string) =>
  `{"format":"xgr-multi-bundle@1","createdAt":"2026-11-15T00:00:00Z","bundles":[{"bundleId":"b","items":[{"id":"p","bundleId":"b","meta":{"type":"xrc729","alias":"process","bundleId":"b"},"structure":{${structure}}},${rules}]}]}`;

const list = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n)).join(',');

const spawning = (count: number) =>
  `"A":{"rule":"cm:xrc137:aa","onValid":{"spawns":[${list(count, () => '"A"')}]}}`;

/** Every spawned step lacks every input: findings = spawns * inputs. */
export const missingInputs = (spawns: number, inputs: number) =>
  bundle(spawning(spawns), rule('aa', `"payload":{${list(inputs, (n) => `"f${n}":{"type":"string"}`)}}`));

/** No finding for it: what a step hands on is gathered anew for every spawn, work = spawns * keys. */
export const handedOn = (spawns: number, keys: number) =>
  bundle(
    spawning(spawns),
    rule('aa', `"payload":{},"onValid":{"payload":{${list(keys, (n) => `"k${n}":1`)}}}`),
  );

/** The set of all steps is made anew for every rule: work = steps * rules. */
export const stepsTimesRules = (steps: number, rules: number) =>
  bundle(
    list(steps, (n) => `"S${n}":{"rule":"cm:xrc137:aa"}`),
    list(rules, (n) => rule(`r${n}`, '"payload":{}')),
  );

/** Every finding names the path, and the path holds a name of a megabyte: answer = findings * name. */
export const longNames = (nameBytes: number, findings: number) =>
  bundle(
    spawning(1),
    rule('aa', `"payload":{"${'n'.repeat(nameBytes)}":{${list(findings, (n) => `"x${n}":1`)}}}`),
  );

/** As many findings as keys. */
export const unknownKeys = (keys: number) => `{${list(keys, (n) => `"k${n}":0`)}}`;
