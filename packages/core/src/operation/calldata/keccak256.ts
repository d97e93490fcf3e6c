/**
 * Keccak-256 as Ethereum uses it (the padding before SHA-3 was fixed): no platform that core runs on brings it. For selectors
 * and for the hashes of texts on chain; lanes are pairs of 32-bit halves, which is many times faster than bigint.
 */
const RATE = 136;
const ROUNDS = 24;
const LANES = 25;

const { rotations, order, constants } = tables();

export function keccak256(message: Uint8Array): Uint8Array {
  const state = new Uint32Array(2 * LANES);
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 4; i++) state[i] = at(state, i) ^ view.getUint32(block + 4 * i, true);
    permute(state);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i++) out.setUint32(4 * i, at(state, i), true);
  return digest;
}

/** Every index here is computed within bounds; the type system cannot see it. */
function at(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function permute(state: Uint32Array): void {
  const column = new Uint32Array(10);
  const moved = new Uint32Array(2 * LANES);
  for (let round = 0; round < ROUNDS; round++) {
    theta(state, column);
    rhoPi(state, moved);
    chi(state, moved);
    state[0] = at(state, 0) ^ at(constants, 2 * round);
    state[1] = at(state, 1) ^ at(constants, 2 * round + 1);
  }
}

function theta(state: Uint32Array, column: Uint32Array): void {
  for (let i = 0; i < 10; i++)
    column[i] = at(state, i) ^ at(state, i + 10) ^ at(state, i + 20) ^ at(state, i + 30) ^ at(state, i + 40);
  for (let x = 0; x < 5; x++) {
    const [left, right] = [2 * ((x + 4) % 5), 2 * ((x + 1) % 5)];
    const [low, high] = [at(column, right), at(column, right + 1)];
    const mixLow = at(column, left) ^ ((low << 1) | (high >>> 31));
    const mixHigh = at(column, left + 1) ^ ((high << 1) | (low >>> 31));
    for (let i = 2 * x; i < 2 * LANES; i += 10) {
      state[i] = at(state, i) ^ mixLow;
      state[i + 1] = at(state, i + 1) ^ mixHigh;
    }
  }
}

function rhoPi(state: Uint32Array, moved: Uint32Array): void {
  for (let lane = 0; lane < LANES; lane++) {
    const by = at(rotations, lane);
    const swap = by >= 32 ? 1 : 0;
    const low = at(state, 2 * lane + swap);
    const high = at(state, 2 * lane + 1 - swap);
    const turn = by % 32;
    const target = 2 * at(order, lane);
    moved[target] = turn === 0 ? low : (low << turn) | (high >>> (32 - turn));
    moved[target + 1] = turn === 0 ? high : (high << turn) | (low >>> (32 - turn));
  }
}

function chi(state: Uint32Array, moved: Uint32Array): void {
  for (let row = 0; row < 2 * LANES; row += 10)
    for (let i = 0; i < 10; i++)
      state[row + i] =
        at(moved, row + i) ^ (~at(moved, row + ((i + 2) % 10)) & at(moved, row + ((i + 4) % 10)));
}

function tables() {
  const rotations = new Uint32Array(LANES);
  const order = new Uint32Array(LANES);
  for (let x = 0; x < 5; x++) for (let y = 0; y < 5; y++) order[x + 5 * y] = y + 5 * ((2 * x + 3 * y) % 5);
  for (let t = 0, x = 1, y = 0; t < ROUNDS; t++) {
    rotations[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return { rotations, order, constants: roundConstants() };
}

/** Bits from a shift register, at the places 2^j - 1 of each constant. */
function roundConstants(): Uint32Array {
  const constants = new Uint32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++)
    for (let j = 0; j < 7; j++) {
      const bit = 2 ** j - 1;
      const half = 2 * round + (bit >= 32 ? 1 : 0);
      if (register & 1) constants[half] = at(constants, half) ^ (1 << (bit % 32));
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  return constants;
}
