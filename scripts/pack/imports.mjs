// Whose a module is, and which packages of others a bundle imports.

/** Modules of the workspaces; everything else stays a dependency. */
export const isOurs = (name) => name.startsWith('.') || name.startsWith('/') || name.startsWith('@handover/');

/** The packages of others that these chunks import, each once. */
export function packagesOf(chunks) {
  const imports = chunks.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const files = new Set(chunks.map(({ fileName }) => fileName));
  return [...new Set(imports.filter((name) => !files.has(name) && !name.startsWith('node:')).map(packageOf))];
}

/** `@scope/name` or `name`, of an import that may go deeper. */
const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
