/** Every export of the package, and every member of its classes and interfaces, is documented in a line or two. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url));
const program = ts.createProgram([entry], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: ['node'],
  skipLibCheck: true,
});
const checker = program.getTypeChecker();

const docOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));
const resolved = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

function exportsOf(file: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module ? checker.getExportsOfModule(module).map(resolved) : [];
}

/** Of a class its public members, of an interface those that it adds to its parents', of an object its methods. */
function membersOf(symbol: ts.Symbol): readonly ts.Symbol[] {
  if (symbol.flags & ts.SymbolFlags.TypeAlias) return aliasMembers(symbol);
  if (symbol.flags & ts.SymbolFlags.Interface) return [...(symbol.members?.values() ?? [])].filter(isNamed);
  if (!(symbol.flags & ts.SymbolFlags.Class)) {
    if (!(symbol.flags & ts.SymbolFlags.Variable)) return [];
    return checker.getTypeOfSymbol(symbol).getProperties().filter(isOwnMethod);
  }
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return members.filter(({ declarations = [] }) => declarations.some(isOurs) && declarations.every(isPublic));
}

/** Of another name for an interface of ours, its members: it is the name that this package shows. */
function aliasMembers(symbol: ts.Symbol): readonly ts.Symbol[] {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (!type.isClassOrInterface()) return [];
  return type.getProperties().filter(({ declarations = [] }) => declarations.every(isOfThisRepository));
}

const isOfThisRepository = (declaration: ts.Declaration) =>
  /\/packages\/(sdk|core|wire)\//.test(declaration.getSourceFile().fileName);
const isNamed = ({ flags }: ts.Symbol) =>
  Boolean(flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor));
const isOwnMethod = ({ flags, declarations = [] }: ts.Symbol) =>
  Boolean(flags & ts.SymbolFlags.Method) && declarations.every(isOurs);
const isOurs = (declaration: ts.Declaration) =>
  declaration.getSourceFile().fileName.includes('/packages/sdk/');
const isPublic = (declaration: ts.Declaration) => {
  const flags = ts.getCombinedModifierFlags(declaration);
  const name = ts.getNameOfDeclaration(declaration);
  const hidden = flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  return !hidden && !(name && ts.isPrivateIdentifier(name));
};

/** An override inherits the words of what it overrides. */
const isOverride = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Override);

function flaw(name: string, doc: string): string[] {
  if (doc.trim() === '') return [`${name} is not documented`];
  const lines = Math.max(doc.split('\n').length, Math.ceil(doc.length / 120));
  return lines <= 2 ? [] : [`${name} is documented in ${lines} lines`];
}

it('every public symbol is documented in one or two lines', () => {
  const symbols = exportsOf(entry);
  expect(symbols.length).toBeGreaterThan(100);
  const members = symbols.flatMap((symbol) => membersOf(symbol).map(({ name }) => `${symbol.name}.${name}`));
  const some = ['Auth.devAgent', 'MacpClient.send', 'MacpAckError.code', 'HandoffWorkerOptions.decide'];
  expect(members).toEqual(expect.arrayContaining(some));
  const flaws = symbols.flatMap((symbol) => [
    ...flaw(symbol.name, docOf(symbol)),
    ...membersOf(symbol)
      .filter((member) => !isOverride(member))
      .flatMap((member) => flaw(`${symbol.name}.${member.name}`, docOf(member))),
  ]);
  expect(flaws).toEqual([]);
});

it('would notice one that is not', () => {
  expect(flaw('x', '')).toEqual(['x is not documented']);
  expect(flaw('x', 'a\nb\nc')).toEqual(['x is documented in 3 lines']);
});
