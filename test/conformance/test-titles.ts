/** The titles of tests, read from the sources: what a runner prints, and neither comments nor helpers. */
import ts from 'typescript';

const NAMERS = new Set(['it', 'test', 'describe']);

export function titlesIn(source: string): readonly string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) && NAMERS.has(rootOf(node)) ? node.arguments : [];
    if (first && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first)))
      titles.push(first.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.test.ts', source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `it` of `it.each(CASES)('title', …)`. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  const isStep = ts.isCallExpression(node) || ts.isPropertyAccessExpression(node);
  return isStep ? rootOf(node.expression) : '';
}
