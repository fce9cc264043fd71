import type { Node, SourceFile } from 'ts-morph';
import type { Entrance } from './entrances.js';

/** Finds the names that a file declares itself, so that nothing is imported under one of them. */
export function findTakenNames(file: SourceFile, entrances: readonly Entrance[]): ReadonlySet<string> {
  const renamed = new Set<Node>(
    entrances
      .filter(({ isDirect, theirs, local }) => isDirect && theirs === local)
      .map(({ declaration }) => declaration),
  );
  const taken = new Set<string>();
  file.forEachDescendant((node) => {
    const name = DECLARING.has(node.getKindName()) && !renamed.has(node) ? getName(node) : undefined;
    if (name !== undefined) taken.add(name);
  });
  return taken;
}

const DECLARING = new Set([
  'ImportSpecifier',
  'ImportClause',
  'NamespaceImport',
  'ImportEqualsDeclaration',
  'VariableDeclaration',
  'BindingElement',
  'Parameter',
  'FunctionDeclaration',
  'ClassDeclaration',
  'InterfaceDeclaration',
  'TypeAliasDeclaration',
  'EnumDeclaration',
]);

interface Declaring {
  getAliasNode?(): Node | undefined;
  getNameNode?(): Node | undefined;
  getDefaultImport?(): Node | undefined;
}

function getName(node: Node): string | undefined {
  const { getAliasNode, getNameNode, getDefaultImport } = node as Node & Declaring;
  const name = getAliasNode?.call(node) ?? getNameNode?.call(node) ?? getDefaultImport?.call(node);
  return name?.getText();
}
