/**
 * A map from text that is never changed: `treeSet` returns a new one that shares all but a path with the old one. A
 * session may hold tens of thousands of proposals and votes, and a copied Map for each would make its replay quadratic.
 * It is an AA tree: balanced whatever the keys are, in the order of their code units.
 */
export interface Tree<V> {
  readonly key: string;
  readonly value: V;
  readonly level: number;
  readonly left: Tree<V> | undefined;
  readonly right: Tree<V> | undefined;
}

export type Branch<V> = Tree<V> | undefined;

export function treeGet<V>(tree: Branch<V>, key: string): V | undefined {
  let at = tree;
  while (at && at.key !== key) at = key < at.key ? at.left : at.right;
  return at?.value;
}

export function treeSet<V>(tree: Branch<V>, key: string, value: V): Tree<V> {
  if (!tree) return { key, value, level: 1, left: undefined, right: undefined };
  if (key === tree.key) return { ...tree, value };
  const grown =
    key < tree.key
      ? { ...tree, left: treeSet(tree.left, key, value) }
      : { ...tree, right: treeSet(tree.right, key, value) };
  return split(skew(grown));
}

/** In the order of the keys. */
export function* treeEntries<V>(tree: Branch<V>): Generator<readonly [string, V]> {
  if (!tree) return;
  yield* treeEntries(tree.left);
  yield [tree.key, tree.value];
  yield* treeEntries(tree.right);
}

function skew<V>(tree: Tree<V>): Tree<V> {
  const { left } = tree;
  if (!left || left.level !== tree.level) return tree;
  return { ...left, right: { ...tree, left: left.right } };
}

function split<V>(tree: Tree<V>): Tree<V> {
  const { right } = tree;
  if (!right?.right || right.right.level !== tree.level) return tree;
  return { ...right, level: right.level + 1, left: { ...tree, right: right.left } };
}
