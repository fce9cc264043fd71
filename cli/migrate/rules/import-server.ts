import type { Node, ObjectLiteralExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, findProperty, getValue, insertMembers, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { formatSpecifier, reaches } from '../source/relative-specifier.js';
import type { Strategy } from './strategies.js';

/** Imports the module that replaces a strategy where the application is created. Returns whether it found a place to do so. */
export function importServer(migration: Migration, strategy: Strategy): boolean {
  return (
    importBesideToken(migration, strategy) ||
    importInRoot(migration, strategy) ||
    importInRootFile(migration, strategy) ||
    importAtStart(migration, strategy)
  );
}

/** Imports it into the modules that provided the strategy for injection. */
function importBesideToken(migration: Migration, { uses }: Strategy): boolean {
  const { Node: is, SyntaxKind } = migration.facts.morph;
  let isImported = false;
  for (const use of uses) {
    const member = use.getParent();
    const provider = member?.getParent();
    if (!is.isPropertyAssignment(member) || member.getName() !== 'useValue') continue;
    const file = migration.fileOf(use);
    if (!is.isObjectLiteralExpression(provider) || !provides(file, provider)) continue;
    const metadata = provider.getParent()?.getFirstAncestorByKind(SyntaxKind.ObjectLiteralExpression);
    if (metadata === undefined) continue;
    removeProvider(file, provider);
    addImport(migration, metadata, use.getText());
    isImported = true;
  }
  return isImported;
}

function provides(file: SourceMigration, provider: ObjectLiteralExpression): boolean {
  const { morph } = file.facts;
  return file.nameOf(getValue(findProperty(provider, 'provide', morph), morph)) === 'MCP_STRATEGY';
}

/** Removes a provider, and its list if that becomes empty. */
function removeProvider(file: SourceMigration, provider: Node): void {
  const { Node: is } = file.facts.morph;
  const list = provider.getParent();
  const member = list?.getParent();
  const isOnly = is.isArrayLiteralExpression(list) && list.getElements().length === 1;
  removeMember(file, isOnly && is.isPropertyAssignment(member) ? member : provider);
}

/** Adds a module to the imports of another module. */
export function addImport(migration: Migration, metadata: ObjectLiteralExpression, text: string): void {
  const { morph } = migration.facts;
  const file = migration.fileOf(metadata);
  const member = findProperty(metadata, 'imports', morph);
  const list = getValue(member, morph);
  if (member === undefined) return makeImports(migration, metadata, text);
  if (!morph.Node.isArrayLiteralExpression(list)) return file.decide(member, 'wiring');
  const last = list.getElements().at(-1);
  file.edits.insert(last?.getEnd() ?? list.getStart() + 1, last === undefined ? text : `, ${text}`);
}

/** Adds a list of imports to a module without one, which collects later additions too. */
function makeImports(migration: Migration, metadata: ObjectLiteralExpression, text: string): void {
  const present = migration.lists.get(metadata);
  if (present !== undefined) return void present.push(text);
  const made = [text];
  migration.lists.set(metadata, made);
  insertMembers(migration.fileOf(metadata), metadata, () => [`imports: [${made.join(', ')}]`]);
}

/** Imports it into the root module, if that is declared after the strategy in the same block. */
function importInRoot(migration: Migration, { file, created, variable, uses }: Strategy): boolean {
  const { SyntaxKind } = migration.facts.morph;
  if (variable === undefined) return false;
  const block = variable.getFirstAncestorByKind(SyntaxKind.Block) ?? file.file;
  for (const start of findStarts(migration, uses)) {
    const [root] = start.getArguments();
    const metadata = findMetadata(migration, root) ?? findObject(root, migration.facts.morph);
    const isNear =
      metadata?.getSourceFile() === file.file && block.containsRange(metadata.getPos(), metadata.getEnd());
    if (metadata === undefined || !isNear || metadata.getStart() < created.getEnd()) continue;
    addImport(migration, metadata, variable.getName());
    return true;
  }
  return false;
}

/** Imports it into the root module in another file, unless the server's file imports that file. Tests then import it too. */
function importInRootFile(migration: Migration, { file, variable, uses }: Strategy): boolean {
  if (variable?.getVariableStatement()?.isExported() !== true) return false;
  for (const start of findStarts(migration, uses)) {
    const metadata = findMetadata(migration, start.getArguments()[0]);
    const root = metadata && migration.fileOf(metadata);
    if (metadata === undefined || root === undefined || reaches(migration.files, file, root)) continue;
    if (!root.path.endsWith('.ts')) continue;
    addImport(migration, metadata, root.use(variable.getName(), formatSpecifier(root, file.path)));
    return true;
  }
  return false;
}

/** Otherwise, combines the root module and the server where the application is created. */
function importAtStart(migration: Migration, { uses, variable }: Strategy): boolean {
  const { Node: is } = migration.facts.morph;
  if (variable === undefined) return false;
  for (const start of findStarts(migration, uses)) {
    const [root] = start.getArguments();
    if (!is.isIdentifier(root)) continue;
    const file = migration.fileOf(start);
    const local = uses.find((use) => use.getSourceFile() === file.file)?.getText() ?? variable.getName();
    importBeside(migration, root, local);
    return true;
  }
  return false;
}

/** Combines a root module with one or several servers. */
function importBeside(migration: Migration, root: Node, local: string): void {
  const list = migration.lists.get(root);
  if (list !== undefined) return void list.push(local);
  const locals = [local];
  migration.lists.set(root, locals);
  const write = () => `{ module: ${root.getText()}, imports: [${locals.join(', ')}] }`;
  migration.fileOf(root).edits.replace({ start: root.getStart(), end: root.getEnd() }, write);
}

const STARTS = new Set(['create', 'createMicroservice', 'createApplicationContext', 'createTestingModule']);

/** Finds where applications are created in files that use the strategy. */
function findStarts({ facts }: Migration, uses: readonly Node[]) {
  const { Node: is, SyntaxKind } = facts.morph;
  const files = new Set(uses.map((use) => use.getSourceFile()));
  return [...files].flatMap((file) =>
    file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => {
      const callee = call.getExpression();
      if (!is.isPropertyAccessExpression(callee) || !STARTS.has(callee.getName())) return false;
      return ['NestFactory', 'Test'].includes(callee.getExpression().getText());
    }),
  );
}

/** Finds the metadata of the module that an expression names. */
export function findMetadata(
  { facts }: Migration,
  root: Node | undefined,
): ObjectLiteralExpression | undefined {
  const { morph } = facts;
  if (!morph.Node.isIdentifier(root)) return undefined;
  const symbol = root.getSymbol();
  const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
  if (!morph.Node.isClassDeclaration(declaration)) return undefined;
  return findObject(declaration.getDecorator('Module')?.getArguments()[0], morph);
}
