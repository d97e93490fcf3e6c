/** The entry points of every package that others import, and what each exports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface EntryPoint {
  /** As it is imported: `@handover/core`, `@handover/engine/store-contract`. */
  readonly name: string;
  readonly source: string;
}

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, { readonly default: string }>>;
}

export function entryPoints(): readonly EntryPoint[] {
  return readdirSync(packages).flatMap((folder) => {
    const path = join(packages, folder, 'package.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    return Object.entries(manifest.exports ?? {}).map(([at, { default: file }]) => ({
      name: join(manifest.name, at),
      source: join(packages, folder, file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
    }));
  });
}

/** Names by entry point: those that exist at run time, and those that are types alone. */
export function exportsOf(entries: readonly EntryPoint[]): ReadonlyMap<string, Exports> {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, noEmit: true, types: [] };
  const program = ts.createProgram({ rootNames: entries.map(({ source }) => source), options });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map(({ name, source }) => {
      const file = program.getSourceFile(source);
      const module = file && checker.getSymbolAtLocation(file);
      const symbols = module ? checker.getExportsOfModule(module) : [];
      // A class that is exported as a type, and a type that shares its name with a constant, are types.
      const isValue = (symbol: ts.Symbol) =>
        (resolved(checker, symbol).flags & ts.SymbolFlags.Value) !== 0 &&
        !symbol.declarations?.some(ts.isTypeOnlyExportDeclaration);
      const names = (chosen: readonly ts.Symbol[]) => chosen.map((symbol) => symbol.getName()).sort();
      const values = symbols.filter(isValue);
      return [name, { values: names(values), types: names(symbols.filter((symbol) => !isValue(symbol))) }];
    }),
  );
}

export interface Exports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
