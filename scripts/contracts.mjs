// Compiles contracts/*.sol into contracts/build/*.json. With --check it compiles and compares instead: the bytes that
// pages deploy are then exactly those of the sources beside them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const folder = fileURLToPath(new URL('../contracts/', import.meta.url));
const check = process.argv.includes('--check');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.sol'))
  .map((file) => file.slice(0, -'.sol'.length))
  .sort();

const settings = {
  // Before PUSH0: runs on chains that have not taken the newer opcodes.
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  // No metadata trailer: the same source gives the same bytes whatever the compiler's build or the file's path.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

function compile() {
  const sources = Object.fromEntries(
    names.map((name) => [`${name}.sol`, { content: readFileSync(`${folder}${name}.sol`, 'utf8') }]),
  );
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const problems = output.errors ?? [];
  if (problems.length > 0) {
    for (const { formattedMessage } of problems) console.error(formattedMessage);
    process.exit(1);
  }
  return output.contracts;
}

function artifact(contracts, name) {
  const { abi, evm } = contracts[`${name}.sol`][name];
  const { outputSelection, ...settled } = settings;
  const content = {
    contractName: name,
    compiler: { name: 'solc', version: solc.version(), settings: settled },
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const contracts = compile();
let differing = 0;
for (const name of names) {
  const path = `${folder}build/${name}.json`;
  const text = artifact(contracts, name);
  if (!check) {
    writeFileSync(path, text);
    continue;
  }
  let committed = '';
  try {
    committed = readFileSync(path, 'utf8');
  } catch {
    // Not built yet: reported as different.
  }
  if (committed === text) continue;
  differing += 1;
  console.error(`contracts/build/${name}.json differs from its source: run node scripts/contracts.mjs`);
}
if (differing > 0) process.exit(1);
console.error(`${names.length} contracts ${check ? 'match their sources' : 'compiled'}`);
