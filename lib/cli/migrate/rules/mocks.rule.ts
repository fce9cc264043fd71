import type { Identifier, Node, ObjectLiteralExpression, SourceFile } from 'ts-morph';
import { CONTEXT_MEMBERS } from '../counterparts/context-members.js';
import type { Migration } from '../migration.js';
import { findDeclarations } from '../source/composed-decorators.js';
import { getMemberName } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findEnhancerFiles } from './enhancer-files.js';

/** Names that hardly anything but a context has. */
const TELLING = new Set(['reportProgress', 'mcpRequest']);

const MEMBERS: ReadonlySet<string> = new Set(
  CONTEXT_MEMBERS.map(({ theirs }) => /^\w+/.exec(theirs)?.[0] ?? theirs),
);

/** Marks contexts that tests make themselves: handlers would find nothing of what they call. */
export function markMocks(migration: Migration): void {
  const enhancers = findEnhancerFiles(migration);
  for (const file of migration.files) {
    markTyped(file);
    if (!isTest(file.path)) continue;
    if ([...TELLING].some((name) => file.text.includes(name))) markNamed(file);
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
      file.decide(object, 'mockedContext');
  }
}

/** Finds the object that is said to be a context: `{ … } as unknown as Context`, or `const context: Context = { … }`. */
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

function markNamed(file: SourceMigration): void {
  for (const name of file.file.getDescendantsOfKind(file.facts.morph.SyntaxKind.Identifier)) {
    const made = TELLING.has(name.getText()) ? findMade(file, name) : undefined;
    if (made !== undefined) file.decide(made, 'mockedContext');
  }
}

/** Finds the object or the class that gets a member of this name. One that is only read makes nothing. */
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

/** Guards of others have tests too: those of handlers are known by what the test imports. */
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

/** The execution contexts that tests of guards make say what they are. */
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
