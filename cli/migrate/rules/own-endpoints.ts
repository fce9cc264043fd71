import { posix } from 'node:path';
import type { Identifier, Node, ObjectLiteralExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findMemberSpan, findProperty, getValue, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findOwnControllers, type OwnController } from './own-controllers.js';
import type { OwnEndpoint } from './own-endpoint.interface.js';
import { removeLine } from './removed-lines.js';

/** Formats the decorators as an option. */
export function formatDecorators({ decorators }: OwnEndpoint): string {
  return `decorators: [${decorators.join(', ')}]`;
}

/** The server that a controller may serve. */
export interface ServedServer {
  /** Its options' file. */
  readonly file: SourceMigration;
  /** The call that creates the server. */
  readonly at: Node;
  /** Whether a controller serves this server. */
  isServedBy(controller: OwnController): boolean;
}

/** Lets a server take over an endpoint, and removes its controller unless something else needs it. */
export function takeEndpoint(migration: Migration, server: ServedServer): OwnEndpoint | undefined {
  const served = findOwnControllers(migration).filter((one) => server.isServedBy(one));
  const [controller, ...others] = served;
  if (controller === undefined || others.length > 0) return undefined;
  const uses = findClassUses(migration, controller);
  if (!uses.every((use) => isListed(use, migration) || isRouted(use, migration))) return undefined;
  const { file, declaration, path, ssePath } = controller;
  const decorators = controller.decorators.map((decorator) =>
    moveExpression(file, decorator.getExpression(), server),
  );
  if (decorators.includes(undefined)) return undefined;
  for (const use of uses) removeUse(migration, use, path);
  removeClass(migration, file, declaration);
  migration.notes.add(
    `${file.path}: "${declaration.getName() ?? ''}" was removed, because the module serves "${path}" with its decorators`,
  );
  return { path, ssePath, decorators: decorators.filter((text) => text !== undefined) };
}

function findClassUses({ files, facts }: Migration, { declaration }: OwnController): readonly Identifier[] {
  const { Node: is, SyntaxKind } = facts.morph;
  const name = declaration.getName();
  return files.flatMap(({ file, text }) => {
    if (name === undefined || !text.includes(name)) return [];
    return file.getDescendantsOfKind(SyntaxKind.Identifier).filter((one) => {
      const symbol = one.getSymbol();
      const target = symbol?.getAliasedSymbol() ?? symbol;
      const isOutside = one.getFirstAncestor((node) => node === declaration) === undefined;
      return (
        isOutside && !is.isImportSpecifier(one.getParent()) && target?.getDeclarations().includes(declaration)
      );
    });
  });
}

/** `controllers: [A]` */
function isListed(use: Identifier, { facts }: Migration): boolean {
  const { Node: is } = facts.morph;
  const list = use.getParent();
  const member = list?.getParent();
  return (
    is.isArrayLiteralExpression(list) && is.isPropertyAssignment(member) && member.getName() === 'controllers'
  );
}

/** `consumer.apply(Middleware).forRoutes(A)` */
function isRouted(use: Identifier, { facts }: Migration): boolean {
  const { Node: is } = facts.morph;
  const call = use.getParent();
  return is.isCallExpression(call) && call.getExpression().getText().endsWith('.forRoutes');
}

function removeUse(migration: Migration, use: Identifier, path: string): void {
  const file = migration.fileOf(use);
  const { Node: is } = file.facts.morph;
  if (isRouted(use, migration))
    return file.edits.replace({ start: use.getStart(), end: use.getEnd() }, `'${path}'`);
  const list = use.getParent();
  const member = list?.getParent();
  const isOnly = is.isArrayLiteralExpression(list) && list.getElements().length === 1;
  if (isOnly && member !== undefined) removeMember(file, member);
  else file.edits.remove(findMemberSpan(file.text, use));
}

/** Removes a class, and its file if that contains nothing else. */
function removeClass(migration: Migration, file: SourceMigration, declaration: Node): void {
  const { Node: is } = migration.facts.morph;
  const others = file.file
    .getStatements()
    .filter((statement) => statement !== declaration && !is.isImportDeclaration(statement));
  if (others.length === 0) {
    migration.removed.add(file);
    file.edits.remove({ start: 0, end: file.text.length });
    return;
  }
  const [comment] = declaration.getLeadingCommentRanges();
  if (comment !== undefined) file.edits.remove({ start: comment.getPos(), end: declaration.getStart() });
  removeLine(file, declaration);
}

/** Finds the modules that list a controller. */
export function findListing(
  { files, facts }: Migration,
  { declaration }: OwnController,
): readonly ObjectLiteralExpression[] {
  const { morph } = facts;
  return files.flatMap(({ file }) =>
    file.getDescendantsOfKind(morph.SyntaxKind.ObjectLiteralExpression).filter((metadata) => {
      const list = getValue(findProperty(metadata, 'controllers', morph), morph);
      if (!morph.Node.isArrayLiteralExpression(list)) return false;
      return list.getElements().some((element) => {
        const symbol = element.getSymbol();
        return (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations().includes(declaration);
      });
    }),
  );
}

/** A moved expression's destination. */
interface Destination {
  readonly file: SourceMigration;
  /** The node that will contain it, which is evaluated when the file loads. */
  readonly at: Node;
}

/** A name that the destination must import. */
interface Needed {
  readonly name: string;
  readonly from: string;
}

/** Imports the names in an expression into the destination's file. Returns `undefined` if that is not possible. */
function moveExpression(
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

/** Finds a name's origin; `undefined` if it is not available at the destination. */
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
  // Declarations below are not initialized yet, and declarations in the controller's file may be removed with it.
  const isAbove = file === target && declaration.getEnd() < at.getStart();
  const isInside = declaration.getSourceFile() === file.file && is.isParameterDeclaration(declaration);
  return isAbove || isInside ? 'there' : undefined;
}

/** Rewrites one file's relative specifier for another file. */
function moveSpecifier(specifier: string, from: string, to: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = posix.relative(posix.dirname(to), posix.join(posix.dirname(from), specifier));
  return path.startsWith('.') ? path : `./${path}`;
}
