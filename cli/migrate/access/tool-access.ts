import { posix } from 'node:path';
import type { CallExpression, Node, ObjectLiteralExpression } from 'ts-morph';
import type { Release } from '../replacements/replacement.interface.js';
import type { Migration } from '../migration.js';
import { findMemberSpan, findProperty, getMemberName, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { formatSpecifier } from '../source/relative-specifier.js';
import { formatAccessFile } from './format-access-file.js';
import type { ToolAccessFile } from './tool-access.interface.js';

/** Creates the file at a path. */
function createFile(path: string, release: Release): ToolAccessFile {
  return {
    hasGuardOptions: false,
    use: (file, name, isType = false) => file.use(name, formatSpecifier(file, path), isType),
    get change() {
      const text = formatAccessFile({ release, hasGuardOptions: this.hasGuardOptions });
      return { path, text, isCreated: true, before: undefined };
    },
  };
}

const ACCESS_NAMES = new Set(['ToolScopes', 'ToolRoles']);
const ACCESS_MEMBERS = /\b(?:requiredScopes|requiredRoles)\b/;

/** Plans the file if tools require scopes or roles, or if some are open to unauthenticated callers. */
export function planToolAccess(migration: Migration): ToolAccessFile | undefined {
  const { files } = migration;
  const users = files.filter(({ importedNames }) => importedNames.length > 0);
  const isNeeded =
    users.some(({ references }) => references.some(({ name }) => ACCESS_NAMES.has(name))) ||
    users.some(({ text }) => ACCESS_MEMBERS.test(text)) ||
    users.some((file) => findOpening(file).length > 0);
  const home = files.find((file) => findServers(file).length > 0);
  if (!isNeeded || home === undefined || !home.path.endsWith('.ts')) return undefined;
  const path = posix.join(posix.dirname(home.path), 'tool-access.ts');
  return files.some((file) => file.path === path) ? undefined : createFile(path, migration.facts.release);
}

/** Finds the calls that create servers. */
export function findServers(file: SourceMigration): readonly Node[] {
  const { Node: is } = file.facts.morph;
  return file.references.flatMap(({ name, node }): readonly Node[] => {
    const parent = node.getParent();
    if (name === 'McpStrategy' && is.isNewExpression(parent)) return [parent];
    const call = parent?.getParent();
    const isModule = name === 'McpModule' && is.isPropertyAccessExpression(parent);
    return isModule && is.isCallExpression(call) && parent.getName().startsWith('forRoot') ? [call] : [];
  });
}

/** `allowUnauthenticatedAccess: true` */
function findOpening(file: SourceMigration): readonly Node[] {
  const { Node: is, SyntaxKind } = file.facts.morph;
  if (!file.text.includes(OPENING)) return [];
  return file.file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression).flatMap((object) => {
    const member = findProperty(object, OPENING, file.facts.morph);
    const value = getValue(member, file.facts.morph);
    return value === undefined || is.isFalseLiteral(value) ? [] : [value];
  });
}

const OPENING = 'allowUnauthenticatedAccess';

/** Formats the option that hides tools. Returns nothing if there is no such file. */
export function formatToolAccess(migration: Migration, options: ObjectLiteralExpression): readonly string[] {
  const { access } = migration;
  if (access === undefined) return [];
  const file = migration.fileOf(options);
  const value = readOpening(migration, options);
  const name = access.use(file, 'ToolAccess');
  const given = value === undefined ? '' : `{ ${OPENING}: ${value.getText()} }`;
  return [`catalog: { visibility: new ${name}(${given}) }`];
}

/** In release 1, only a server with guards required users. */
function readOpening({ facts }: Migration, options: ObjectLiteralExpression): Node | undefined {
  const { morph } = facts;
  const guards = getValue(findProperty(options, 'guards', morph), morph);
  const isGuarded = facts.release === 2 || (guards !== undefined && guards.getText() !== '[]');
  const value = getValue(findProperty(options, OPENING, morph), morph);
  return value === undefined || morph.Node.isFalseLiteral(value) || !isGuarded ? undefined : value;
}

const REQUIREMENTS: Readonly<Record<string, string>> = {
  isPublic: 'isPublic',
  requiredScopes: 'scopes',
  requiredScopesMatch: 'scopesMatch',
  requiredRoles: 'roles',
  requiredRolesMatch: 'rolesMatch',
};

/** Replaces the requirements in the definition of a tool that is added at run time with `visible`. */
export function migrateRequirements(migration: Migration, object: ObjectLiteralExpression): boolean {
  const { access } = migration;
  if (access === undefined) return false;
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  const members = object.getProperties().flatMap((member) => {
    const name = REQUIREMENTS[getMemberName(member, morph) ?? ''];
    const value = getValue(member, morph);
    return name === undefined || value === undefined ? [] : [{ member, text: `${name}: ${value.getText()}` }];
  });
  const [first, ...others] = members;
  if (first === undefined) return true;
  const all = members.map(({ text }) => text).join(', ');
  const span = { start: first.member.getStart(), end: first.member.getEnd() };
  file.edits.replace(span, `visible: ${access.use(file, 'visibleFor')}({ ${all} })`);
  for (const { member } of others) file.edits.remove(findMemberSpan(file.text, member));
  return true;
}

/** Imports a module before the server, which provides the options that guards inject. */
export function provideGuardOptions(
  migration: Migration,
  call: CallExpression,
  options: ObjectLiteralExpression,
) {
  const { access, files } = migration;
  const { Node: is } = migration.facts.morph;
  const isInjected = files.some(({ text }) => /@Inject\(\s*['"`]MCP_OPTIONS['"`]/.test(text));
  const value = readOpening(migration, options);
  const isOfTheirs = files.some(({ references }) =>
    references.some(({ name }) => name === 'McpAuthJwtGuard'),
  );
  const isNeeded = isInjected || (isOfTheirs && value !== undefined);
  if (access === undefined || !isNeeded || access.hasGuardOptions) return;
  if (!is.isArrayLiteralExpression(call.getParent())) return;
  access.hasGuardOptions = true;
  const file = migration.fileOf(call);
  const given = value === undefined ? '{}' : `{ ${OPENING}: ${value.getText()} }`;
  file.edits.insert(call.getStart(), `${access.use(file, 'GuardOptionsModule')}.register(${given}), `);
  for (const own of files) retypeInjected(migration, own);
}

/** The other package's options type has properties that ours lacks. */
function retypeInjected({ access }: Migration, file: SourceMigration): void {
  const { Node: is } = file.facts.morph;
  for (const { name, node } of file.references) {
    const parameter = node.getParent()?.getParent();
    if (name !== 'McpOptions' || access === undefined || !is.isParameterDeclaration(parameter)) continue;
    const isInjected = parameter.getDecorators().some((one) => one.getText().includes('MCP_OPTIONS'));
    if (isInjected)
      file.edits.replace(
        { start: node.getStart(), end: node.getEnd() },
        access.use(file, 'GuardOptions', true),
      );
  }
}
