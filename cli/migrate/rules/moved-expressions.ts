import { posix } from 'node:path';
import type { Identifier, Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

/** Where an expression is moved to. */
export interface Destination {
  readonly file: SourceMigration;
  /** What it becomes part of, which is evaluated as the file is loaded. */
  readonly at: Node;
}

/** A name that the destination needs. */
interface Needed {
  readonly name: string;
  readonly from: string;
}

/** Has the file of the destination import what an expression names. Returns `undefined` if that cannot be done. */
export function moveExpression(
  file: SourceMigration,
  expression: Node,
  { file: target, at }: Destination,
): string | undefined {
  const { Node: is, SyntaxKind } = file.facts.morph;
  const own = is.isIdentifier(expression) ? [expression] : [];
  const names = [...own, ...expression.getDescendantsOfKind(SyntaxKind.Identifier)].filter(
    (name) => !is.isPropertyAccessExpression(name.getParent()) || name.getParent()?.getFirstChild() === name,
  );
  const needed: Needed[] = [];
  for (const name of names) {
    const found = findOrigin(file, name, { file: target, at });
    if (found === undefined) return undefined;
    if (found !== 'there') needed.push(found);
  }
  for (const { name, from } of needed) if (target.use(name, from) !== name) return undefined;
  return expression.getText();
}

/** Finds where a name comes from; `undefined` if the destination cannot have it. */
function findOrigin(
  file: SourceMigration,
  name: Identifier,
  { file: target, at }: Destination,
): Needed | 'there' | undefined {
  const { Node: is } = file.facts.morph;
  const [declaration] = name.getSymbol()?.getDeclarations() ?? [];
  if (declaration === undefined) return 'there';
  if (is.isImportSpecifier(declaration)) {
    if (file === target) return 'there';
    if (declaration.getAliasNode() !== undefined) return undefined;
    const from = declaration.getImportDeclaration().getModuleSpecifierValue();
    return { name: name.getText(), from: moveSpecifier(from, file.path, target.path) };
  }
  // What stands below is not there yet, and what stands beside may go with its file.
  const isAbove = file === target && declaration.getEnd() < at.getStart();
  const isInside = declaration.getSourceFile() === file.file && is.isParameterDeclaration(declaration);
  return isAbove || isInside ? 'there' : undefined;
}

/** Writes a relative path from one file as seen from another. */
function moveSpecifier(specifier: string, from: string, to: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = posix.relative(posix.dirname(to), posix.join(posix.dirname(from), specifier));
  return path.startsWith('.') ? path : `./${path}`;
}
