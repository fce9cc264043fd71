import type {
  CallExpression,
  Identifier,
  Node,
  ObjectLiteralExpression,
  VariableDeclaration,
} from 'ts-morph';
import { formatToolAccess } from '../access/tool-access.js';
import type { Migration } from '../migration.js';
import { findDeclarations } from '../source/composed-decorators.js';
import { findObject, findProperty, getValue, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import type { EndpointOptions } from './endpoint-options.js';
import { findGlobalPrefix } from './global-prefix.js';
import type { OwnEndpoint } from './own-endpoint.interface.js';
import { formatDecorators, takeEndpoint, type ServedServer } from './own-endpoints.js';
import { runOnPipe } from './pipe-start.js';
import { removeLine } from './removed-lines.js';
import { markMissingAuth } from './required-scopes.js';
import { importServer } from './import-server.js';
import { migrateServerInfo } from './server-info.js';
import { migrateSharedOptions } from './shared-options.js';
import { findStrategies, findVariableUses, type Strategy } from './strategies.js';
import { readTransportOptions } from './transport-options.js';

const CONNECTING = /\.(?:setHttpAdapter|connectMicroservice|createMicroservice)$/;

/** Finds `strategy.setHttpAdapter(…)`, or the call that receives `{ strategy }`. */
function findConnectingCall({ facts }: SourceMigration, use: Node): CallExpression | undefined {
  const call = use.getFirstAncestorByKind(facts.morph.SyntaxKind.CallExpression);
  return call !== undefined && CONNECTING.test(call.getExpression().getText()) ? call : undefined;
}

/** Finds the calls that pass a strategy to applications. */
function findStrategyCalls(migration: Migration, { uses, created }: Strategy): readonly CallExpression[] {
  return [...uses, created].flatMap((use) => findConnectingCall(migration.fileOf(use), use) ?? []);
}

/** Checks whether an application serves a strategy alongside its routes. */
function isHybrid(calls: readonly CallExpression[]): boolean {
  return calls.some((call) => isCallOf(call, 'connectMicroservice'));
}

/** Reads whether global guards, pipes, interceptors and filters applied to handlers. */
function readGlobalEnhancers(migration: Migration, calls: readonly CallExpression[]): EndpointOptions {
  const inherited = new Set(calls.map((call) => readInheritance(migration, call)));
  return {
    members: inherited.has('true') ? ['globalEnhancers: true'] : [],
    decisions: inherited.has('unknown') ? ['globalEnhancers'] : [],
  };
}

function isCallOf(call: CallExpression, name: string): boolean {
  return call.getExpression().getText().endsWith(`.${name}`);
}

const PROVIDED = /\bAPP_(?:GUARD|PIPE|INTERCEPTOR|FILTER)\b/;

type Inheritance = 'true' | 'false' | 'unknown';

/** A microservice inherited the enhancers that modules provide; a connected microservice did so only on request. */
function readInheritance(migration: Migration, call: CallExpression): Inheritance {
  if (isCallOf(call, 'connectMicroservice')) return readHybridOptions(migration, call);
  const areProvided = migration.files.some(({ text }) => PROVIDED.test(text));
  return isCallOf(call, 'createMicroservice') && areProvided ? 'true' : 'false';
}

function readHybridOptions({ facts }: Migration, call: CallExpression): Inheritance {
  const { morph } = facts;
  const argument = call.getArguments()[1];
  if (argument === undefined) return 'false';
  const object = findObject(argument, morph);
  const member = object && findProperty(object, 'inheritAppConfig', morph);
  if (object === undefined) return 'unknown';
  if (member === undefined) {
    const isOpen = object.getProperties().some((one) => morph.Node.isSpreadAssignment(one));
    return isOpen ? 'unknown' : 'false';
  }
  const text = getValue(member, morph)?.getText();
  return text === 'true' || text === 'false' ? text : 'unknown';
}

/**
 * Turns each release 2 strategy into a module, imports it where the application is created, and removes the wiring.
 */
export function migrateStrategies(migration: Migration): void {
  for (const strategy of findStrategies(migration)) {
    const { file, created } = strategy;
    const object = findObject(created.getArguments()[0], file.facts.morph);
    if (object === undefined) {
      file.decide(created, 'serverOptions');
      continue;
    }
    replaceCreation(strategy);
    migrateOptions(migration, object, strategy);
    const isImported = importServer(migration, strategy);
    removeWiring(migration, strategy);
    if (!isImported) file.decide(created, 'wiring');
  }
  removeTransports(migration);
}

function replaceCreation({ file, created }: Strategy): void {
  const end = created.getExpression().getEnd();
  file.edits.replace({ start: created.getStart(), end }, `${file.use('McpModule')}.forRoot`);
}

function migrateOptions(migration: Migration, object: ObjectLiteralExpression, strategy: Strategy): void {
  const calls = findStrategyCalls(migration, strategy);
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  const transports = findProperty(object, 'transports', morph);
  const served = readTransportOptions(migration, file, { member: transports, isHybrid: isHybrid(calls) });
  const global = readGlobalEnhancers(migration, calls);
  const own = takeEndpoint(migration, buildServed(migration, strategy, transports));
  for (const name of ['transports', 'httpAdapter']) {
    const member = findProperty(object, name, morph);
    if (member !== undefined) removeMember(file, member);
  }
  migrateSharedOptions(migration, object);
  const members = own === undefined ? served.members : replacePath(migration, served.members, own);
  migrateServerInfo(file, object, [...members, ...global.members, ...formatToolAccess(migration, object)]);
  markMissingAuth(migration, object);
  for (const decision of [...served.decisions, ...global.decisions]) {
    if (own === undefined || decision !== 'ownController') file.decide(object, decision);
  }
}

/** A controller serves the server that lists its transport. */
function buildServed(
  { facts: { morph } }: Migration,
  { file, created }: Strategy,
  transports: Node | undefined,
): ServedServer {
  const listed = transports?.getDescendantsOfKind(morph.SyntaxKind.Identifier) ?? [];
  const declared = new Set(listed.flatMap((name) => findDeclarations(name)));
  return {
    file,
    at: created,
    isServedBy: ({ transport }) =>
      transport !== undefined && findDeclarations(transport).some((one) => declared.has(one)),
  };
}

/** A global prefix applied to Nest routes, but not to routes that the transport created. */
function replacePath(migration: Migration, members: readonly string[], own: OwnEndpoint): readonly string[] {
  const others = members.filter((member) => !member.startsWith('mcpPath:'));
  return [
    ...(own.path === '/mcp' ? [] : [`mcpPath: '${own.path}'`]),
    ...others,
    ...(findGlobalPrefix(migration) === 'plain' ? ['useGlobalPrefix: true'] : []),
    ...(own.decorators.length > 0 ? [formatDecorators(own)] : []),
  ];
}

/** Removes constants for transports that only strategies used. Their options have moved to the server. */
function removeTransports(migration: Migration): void {
  for (const file of migration.files) {
    for (const constant of findConstants(file)) {
      const uses = findVariableUses(migration, constant);
      const isUnused = uses.every((use) => {
        const { edits } = migration.fileOf(use);
        return edits.covers({ start: use.getStart(), end: use.getEnd() });
      });
      const statement = constant.getVariableStatement();
      if (uses.length === 0 || !isUnused || statement?.getDeclarations().length !== 1) continue;
      removeLine(file, statement);
      migration.leaveOut(constant, constant.getText());
    }
  }
}

function findConstants(file: SourceMigration): readonly VariableDeclaration[] {
  const { Node: is } = file.facts.morph;
  return file.references.flatMap(({ name, node }) => {
    const constant = node.getParent()?.getParent();
    const isTransport = name === 'StreamableHttpTransport' || name === 'StdioTransport';
    return isTransport && is.isVariableDeclaration(constant) ? [constant] : [];
  });
}

/** Removes the code that connected a strategy to its application, which the module does now. */
function removeWiring(migration: Migration, { uses }: Strategy): void {
  for (const use of uses) {
    const file = migration.fileOf(use);
    const call = findConnectingCall(file, use);
    if (call === undefined) leave(file, use);
    else if (call.getExpression().getText().endsWith('.createMicroservice')) runOnPipe(migration, call);
    else removeStatement(migration, call);
  }
  const files = new Set(uses.map((use) => migration.fileOf(use)));
  for (const file of files) removeStarts(migration, file);
}

/** Marks other uses of the strategy, which a module does not support. */
function leave(file: SourceMigration, use: Identifier): void {
  if (file.edits.covers({ start: use.getStart(), end: use.getEnd() })) return;
  const { Node: is } = file.facts.morph;
  const access = use.getParent();
  const isAdding = is.isPropertyAccessExpression(access) && /^(?:register|remove)/.test(access.getName());
  file.decide(use, isAdding ? 'dynamicCapabilities' : 'wiring');
}

/** Removes the start of microservices, unless the application has others. */
function removeStarts(migration: Migration, file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  const calls = file.file.getDescendantsOfKind(SyntaxKind.CallExpression);
  const named = (name: string) => calls.filter((call) => call.getExpression().getText().endsWith(`.${name}`));
  const areOthers = named('connectMicroservice').some(
    (call) => !file.edits.covers({ start: call.getStart(), end: call.getEnd() }),
  );
  if (areOthers) return;
  for (const call of named('startAllMicroservices')) removeStatement(migration, call);
}

/** Removes a statement with its line; comments above it stay. */
function removeStatement(migration: Migration, node: Node): void {
  const file = migration.fileOf(node);
  const statement = node.getFirstAncestorByKind(file.facts.morph.SyntaxKind.ExpressionStatement);
  if (statement === undefined) return file.decide(node, 'wiring');
  removeLine(file, statement);
  migration.notes.add(`${file.path}: "${summarize(statement)}" was removed, because the module does this`);
}

function summarize(node: Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
