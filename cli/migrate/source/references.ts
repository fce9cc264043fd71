import type { Identifier, Node, SourceFile } from 'ts-morph';
import type { ImportedName } from './imported-names.js';
import type { TsMorph } from './load-ts-morph.js';

/** A location where a file uses a name from the other package. */
export interface Reference {
  /** The name in the other package. */
  readonly name: string;
  /** The whole expression or type name, with its namespace. */
  readonly node: Node;
  /** The node of the name itself. */
  readonly nameNode: Node;
  readonly importedName: ImportedName;
}

/** Finds every use of the names that a file imports. Local names that shadow them do not count. */
export function findReferences(
  file: SourceFile,
  importedNames: readonly ImportedName[],
  morph: TsMorph,
): readonly Reference[] {
  const byLocal = new Map(importedNames.map((importedName) => [importedName.local, importedName]));
  if (byLocal.size === 0) return [];
  return file.getDescendantsOfKind(morph.SyntaxKind.Identifier).flatMap((identifier) => {
    const importedName = byLocal.get(identifier.getText());
    if (importedName === undefined || !isUse(identifier, importedName, morph)) return [];
    return [buildReference(identifier, importedName, morph)];
  });
}

/** Finds every use of a declaration. */
export function findUses(name: Node, morph: TsMorph): readonly Identifier[] {
  const declaration = name.getParentOrThrow();
  const uses = indexUses(name.getSourceFile(), name.getText(), morph).get(declaration) ?? [];
  return uses.filter((identifier) => identifier !== name);
}

type Uses = ReadonlyMap<Node, readonly Identifier[]>;

/** Cached by file and name, so that each file is searched once per name. Rules do not change the parsed sources. */
const indexes = new WeakMap<SourceFile, Map<string, Uses>>();

function indexUses(file: SourceFile, name: string, morph: TsMorph): Uses {
  const ofFile = indexes.get(file) ?? new Map<string, Uses>();
  indexes.set(file, ofFile);
  const known = ofFile.get(name);
  if (known !== undefined) return known;
  const uses = new Map<Node, Identifier[]>();
  for (const identifier of file.getDescendantsOfKind(morph.SyntaxKind.Identifier)) {
    if (identifier.getText() !== name) continue;
    for (const declaration of new Set(getDeclarations(identifier, morph))) {
      const others = uses.get(declaration);
      if (others === undefined) uses.set(declaration, [identifier]);
      else others.push(identifier);
    }
  }
  ofFile.set(name, uses);
  return uses;
}

function isUse(identifier: Identifier, { declaration }: ImportedName, morph: TsMorph): boolean {
  if (identifier.getParent() === declaration) return false;
  if (identifier.getFirstAncestorByKind(morph.SyntaxKind.ImportDeclaration) !== undefined) return false;
  if (morph.Node.isExportSpecifier(identifier.getParent())) return false;
  return getDeclarations(identifier, morph).includes(declaration);
}

function getDeclarations(identifier: Identifier, { Node }: TsMorph): readonly Node[] {
  const parent = identifier.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent)
    ? parent.getValueSymbol()
    : identifier.getSymbol();
  return symbol?.getDeclarations() ?? [];
}

function buildReference(identifier: Identifier, importedName: ImportedName, { Node }: TsMorph): Reference {
  if (importedName.theirs !== '*') {
    return { name: importedName.theirs, node: identifier, nameNode: identifier, importedName };
  }
  const parent = identifier.getParent();
  if (Node.isPropertyAccessExpression(parent) && parent.getExpression() === identifier) {
    return { name: parent.getName(), node: parent, nameNode: parent.getNameNode(), importedName };
  }
  if (Node.isQualifiedName(parent) && parent.getLeft() === identifier) {
    const right = parent.getRight();
    return { name: right.getText(), node: parent, nameNode: right, importedName };
  }
  return { name: '*', node: identifier, nameNode: identifier, importedName };
}
