import type {
  Identifier,
  Node,
  ObjectLiteralElementLike,
  ObjectLiteralExpression,
  ShorthandPropertyAssignment,
  SourceFile,
  VariableDeclaration,
} from 'ts-morph';
import { CONTEXT_MEMBERS } from '../replacements/context-members.js';
import type { Migration } from '../migration.js';
import { findDeclarations } from '../source/composed-decorators.js';
import type { TsMorph } from '../source/load-ts-morph.js';
import { getMemberName, getValue, renameMember } from '../source/objects.js';
import { findUses } from '../source/references.js';
import type { SourceMigration } from '../source/source-migration.js';
import { migrateExpected, migrateProgress } from './context-progress.js';
import { findEnhancerFiles } from './enhancer-files.js';
import { findExpectation } from './expectations.js';

/** Names that hardly occur outside a context. */
const TELLING = new Set(['reportProgress', 'mcpRequest']);

const MEMBERS: ReadonlySet<string> = new Set(
  CONTEXT_MEMBERS.map(({ theirs }) => /^\w+/.exec(theirs)?.[0] ?? theirs),
);

/** Marks contexts that tests mock, because they lack the methods that handlers call now. */
export function markMocks(migration: Migration): void {
  const enhancers = findEnhancerFiles(migration);
  const tests = migration.files.filter(({ path }) => isTest(path));
  for (const file of migration.files) markTyped(file);
  const rewritten = new Set(tests.filter((file) => markNamed(file)).map(({ file }) => file));
  for (const file of tests) {
    if (rewritten.has(file.file) || importsFrom(file, rewritten)) migrateReads(file);
    markHosts(file, { isOurs: isAboutHandlers(migration, file, enhancers) });
  }
}

const OF_TESTS = new Set(['spec', 'test', 'tests', 'e2e', 'mock', 'mocks', 'fixtures']);

function isTest(path: string): boolean {
  return path.split(/[/._-]+/).some((part) => OF_TESTS.has(part));
}

function markTyped(file: SourceMigration): void {
  const { morph } = file.facts;
  for (const { name, node } of file.references) {
    if (name !== 'Context' && name !== 'McpContext') continue;
    const object = findTyped(file, node);
    const names = object?.getProperties().map((member) => getMemberName(member, morph)) ?? [];
    if (object !== undefined && names.some((one) => one !== undefined && MEMBERS.has(one)))
      migrateMock(file, object);
  }
}

/** Finds an object that is typed as a context: `{ … } as unknown as Context`, or `const context: Context = { … }`. */
function findTyped({ facts }: SourceMigration, type: Node): ObjectLiteralExpression | undefined {
  const { Node: is } = facts.morph;
  const said = type
    .getAncestors()
    .find(
      (one) =>
        is.isAsExpression(one) ||
        is.isSatisfiesExpression(one) ||
        is.isVariableDeclaration(one) ||
        is.isStatement(one),
    );
  let value: Node | undefined = is.isVariableDeclaration(said) ? said.getInitializer() : said;
  while (is.isAsExpression(value) || is.isSatisfiesExpression(value) || is.isParenthesizedExpression(value)) {
    value = value.getExpression();
  }
  return is.isObjectLiteralExpression(value) ? value : undefined;
}

/** Rewrites a mock if all of its properties can be rewritten; otherwise marks it for a decision. Returns whether it was rewritten. */
function migrateMock(file: SourceMigration, made: Node): boolean {
  const { Node: is } = file.facts.morph;
  const members = is.isObjectLiteralExpression(made) ? made.getProperties() : [];
  const mocks = members.map((member) => readMock(file, member));
  const isRead = members.length > 0 && !mocks.includes(undefined);
  if (!isRead) file.decide(made, 'mockedContext');
  else for (const mock of mocks) mock?.();
  return isRead;
}

/** Returns a function that rewrites a context property, or `undefined` if there is none. */
function readMock(file: SourceMigration, member: ObjectLiteralElementLike): (() => void) | undefined {
  const { morph } = file.facts;
  const name = getMemberName(member, morph);
  const value = getValue(member, morph);
  if (name === undefined || !MEMBERS.has(name)) return () => undefined;
  if (name === 'log') return readLogMock(file, member);
  const isMock = value !== undefined && isMade(value, morph);
  if (name !== 'reportProgress' || !isMock) return undefined;
  const uses = morph.Node.isIdentifier(value) ? findUses(declare(value), morph) : [];
  const expecting = uses.filter((use) => findExpectation(file, use) !== undefined);
  if (!expecting.every((use) => canRead(file, use))) return undefined;
  return () => {
    renameMember(file, member, 'progress');
    for (const use of expecting) migrateExpected(file, use);
  };
}

/** Handles `log: { info: jest.fn() }`, whose level is an argument here. */
function readLogMock(file: SourceMigration, member: ObjectLiteralElementLike): (() => void) | undefined {
  const { morph } = file.facts;
  const value = getValue(member, morph);
  const levels = morph.Node.isObjectLiteralExpression(value) ? value.getProperties() : [];
  const [only, ...others] = levels.map((level) => getValue(level, morph));
  const isOne = only !== undefined && others.length === 0 && isMade(only, morph);
  // Expectations about its arguments require a decision.
  const uses = morph.Node.isIdentifier(only) ? findUses(declare(only), morph) : [];
  const isCounted = uses.every((use) => (findExpectation(file, use)?.expected ?? []).length === 0);
  if (!isOne || !isCounted || value === undefined) return undefined;
  return () => file.edits.replace({ start: value.getStart(), end: value.getEnd() }, only.getText());
}

const MADE = /^(?:jest|vi)\.fn(?:\(\)\.mock(?:Resolved|Return)Value)?$/;

/** Checks for `jest.fn()`, `jest.fn().mockResolvedValue(undefined)`, or a constant name. */
function isMade(value: Node, { Node: is }: TsMorph): boolean {
  return is.isIdentifier(value) || (is.isCallExpression(value) && MADE.test(value.getExpression().getText()));
}

/** Finds the name in a declaration, including the constant that a shorthand member refers to. */
function declare(name: Identifier): Node {
  const parent = name.getParent();
  const isShort = parent !== undefined && 'getValueSymbol' in parent;
  const symbol = isShort ? (parent as ShorthandPropertyAssignment).getValueSymbol() : name.getSymbol();
  const declaration = symbol?.getValueDeclaration();
  return declaration !== undefined && 'getNameNode' in declaration
    ? (declaration as VariableDeclaration).getNameNode()
    : name;
}

/** Checks an expectation before anything is changed. */
function canRead(file: SourceMigration, use: Node): boolean {
  const [argument, ...others] = findExpectation(file, use)?.expected ?? [];
  return (
    argument === undefined ||
    (others.length === 0 && file.facts.morph.Node.isObjectLiteralExpression(argument))
  );
}

/** Returns whether the file has mocks, all of which were rewritten. */
function markNamed(file: SourceMigration): boolean {
  if (![...TELLING].some((name) => file.text.includes(name))) return false;
  const names = file.file.getDescendantsOfKind(file.facts.morph.SyntaxKind.Identifier);
  const made = names.flatMap((name) => (TELLING.has(name.getText()) ? (findMade(file, name) ?? []) : []));
  const results = made.map((one) => migrateMock(file, one));
  return results.length > 0 && !results.includes(false);
}

/** Rewrites assertions such as `expect(context.reportProgress)`, whose context has no type. */
function migrateReads(file: SourceMigration): void {
  const { PropertyAccessExpression } = file.facts.morph.SyntaxKind;
  for (const access of file.file.getDescendantsOfKind(PropertyAccessExpression))
    if (access.getName() === 'reportProgress') migrateProgress(file, access);
}

function importsFrom({ file }: SourceMigration, files: ReadonlySet<SourceFile>): boolean {
  return file.getImportDeclarations().some((one) => {
    const source = one.getModuleSpecifierSourceFile();
    return source !== undefined && files.has(source);
  });
}

/** Finds the object or the class that defines a member with this name. Reading a member does not count. */
function findMade({ facts }: SourceMigration, name: Identifier): Node | undefined {
  const { Node: is, SyntaxKind } = facts.morph;
  const member = name.getParent();
  if (is.isPropertyAccessExpression(member)) {
    const assignment = member.getNameNode() === name ? member.getParent() : undefined;
    const isAssigned = is.isBinaryExpression(assignment) && assignment.getLeft() === member;
    return isAssigned && assignment.getOperatorToken().getKind() === SyntaxKind.EqualsToken
      ? assignment
      : undefined;
  }
  const isMember =
    is.isPropertyAssignment(member) ||
    is.isShorthandPropertyAssignment(member) ||
    is.isMethodDeclaration(member) ||
    is.isPropertyDeclaration(member);
  return isMember && member.getNameNode() === name ? member.getParent() : undefined;
}

/** Checks whether a test concerns guards of handlers rather than of routes, based on its imports. */
function isAboutHandlers(
  { facts, files }: Migration,
  { file }: SourceMigration,
  enhancers: ReadonlySet<SourceFile>,
): boolean {
  const areOthers = files.some(({ text }) => /@(?:MessagePattern|EventPattern)\(/.test(text));
  if (facts.release === 2 && !areOthers) return true;
  return file
    .getImportDeclarations()
    .flatMap((declaration) => declaration.getNamedImports())
    .flatMap((named) => findDeclarations(named.getNameNode()))
    .some((declaration) => enhancers.has(declaration.getSourceFile()));
}

/** Marks mocked execution contexts, which contain the context type. */
function markHosts(file: SourceMigration, { isOurs }: { readonly isOurs: boolean }): void {
  if (!isOurs) return;
  const { morph, release } = file.facts;
  const theirs = release === 1 ? /(['"`])http\1/ : /(['"`])rpc\1/;
  for (const object of file.file.getDescendantsOfKind(morph.SyntaxKind.ObjectLiteralExpression)) {
    const isMocked = object.getProperties().some((member) => {
      const name = getMemberName(member, morph);
      return name === 'getType' ? theirs.test(member.getText()) : release === 2 && name === 'switchToRpc';
    });
    if (isMocked) file.decide(object, 'mockedHost');
  }
}
