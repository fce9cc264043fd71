import type { CallExpression, Node, ObjectLiteralExpression } from 'ts-morph';
import { formatToolAccess, provideGuardOptions } from '../access/tool-access.js';
import type { Migration } from '../migration.js';
import {
  findInitializer,
  findObject,
  findProperty,
  getMemberName,
  getValue,
  insertMembers,
  removeMember,
} from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { ENDPOINT_MEMBERS, readEndpointOptions, readTransports } from './endpoint-options.js';
import { findGlobalPrefix } from './global-prefix.js';
import { migrateGuards } from './guards-option.js';
import type { OwnEndpoint } from './own-endpoint.interface.js';
import { findListing, formatDecorators, takeEndpoint, type ServedServer } from './own-endpoints.js';
import { markMissingAuth } from './required-scopes.js';
import { migrateServerInfo } from './server-info.js';
import { migrateSharedOptions } from './shared-options.js';

/** Rewrites `McpModule.forRoot()`, `forRootAsync()` and `forFeature()` from release 1. */
export function migrateModules(migration: Migration): void {
  const features = findFeatures(migration);
  for (const feature of features) migrateFeature(feature);
  const servers = migration.files.flatMap((file) => findServers(file));
  for (const server of servers) migrateServer(migration, server, { features, servers });
}

interface Server {
  readonly file: SourceMigration;
  readonly call: CallExpression;
  readonly isAsync: boolean;
}

/** A controller serves the server of the module that lists it, or else the only server without routes. */
function buildServed(
  migration: Migration,
  { file, call, isAsync }: Server,
  { servers }: ModuleContext,
): ServedServer {
  const { morph } = file.facts;
  const hasRoutes = (server: Server) => !server.isAsync && !isWithoutRoutes(server);
  const isOnly = servers.filter((server) => !hasRoutes(server)).length === 1;
  return {
    file,
    at: call,
    isServedBy: (controller) => {
      if (!isAsync && !isWithoutRoutes({ file, call, isAsync })) return false;
      const listing = findListing(migration, controller);
      const isNear = listing.some((metadata) => {
        const own = getValue(findProperty(metadata, 'imports', morph), morph);
        return own?.getDescendants().includes(call) === true;
      });
      return isNear || isOnly;
    },
  };
}

/** `transport: []` */
function isWithoutRoutes({ file, call }: Server): boolean {
  const { morph } = file.facts;
  const options = findObject(call.getArguments()[0], morph);
  const transport = options && getValue(findProperty(options, 'transport', morph), morph);
  return transport !== undefined && readTransports(transport, file)?.length === 0;
}

interface ModuleContext {
  readonly own?: OwnEndpoint | undefined;
  readonly features: readonly Feature[];
  readonly servers: readonly Server[];
}

function findServers(file: SourceMigration): readonly Server[] {
  const { Node: is } = file.facts.morph;
  return file.references.flatMap(({ name, node }) => {
    const access = node.getParent();
    if (name !== 'McpModule' || !is.isPropertyAccessExpression(access)) return [];
    const call = access.getParent();
    const method = access.getName();
    if (!is.isCallExpression(call) || !['forRoot', 'forRootAsync'].includes(method)) return [];
    return [{ file, call, isAsync: method === 'forRootAsync' }];
  });
}

function migrateServer(migration: Migration, server: Server, around: ModuleContext): void {
  const { file, call, isAsync } = server;
  const [argument] = call.getArguments();
  const object = findObject(argument, file.facts.morph);
  if (argument === undefined || object === undefined) return file.decide(call, 'serverOptions');
  if (!isAsync) provideGuardOptions(migration, call, object);
  for (const made of isAsync ? findFactoryObjects(migration, object) : [])
    provideGuardOptions(migration, call, made);
  const own = takeEndpoint(migration, buildServed(migration, server, around));
  const name = isAsync
    ? migrateAsync(migration, object, { ...around, own })
    : migrateOptions(migration, object, { hasRoutes: true, ...around, own });
  markSeveral(server, name, around);
}

/** Returns the expression for the server name. */
function migrateAsync(
  migration: Migration,
  object: ObjectLiteralExpression,
  around: ModuleContext,
): string | undefined {
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  const extra = findProperty(object, 'extraProviders', morph);
  if (extra !== undefined) file.commentOut(extra, 'extraProviders');
  const results = findFactoryObjects(migration, object);
  if (results.length === 0) file.decide(object, 'serverOptions');
  const names = results.map((result) =>
    migrateOptions(migration, result, { ...around, hasRoutes: false, features: [] }),
  );
  const { own } = around;
  if (own !== undefined && own.decorators.length > 0)
    insertMembers(file, object, [formatDecorators(own)], object.getProperties().at(-1));
  const [name] = names;
  if (isNamed(name, around.features)) insertMembers(file, object, [`server: ${name}`]);
  return name;
}

function isNamed(name: string | undefined, features: readonly Feature[]): name is string {
  return name !== undefined && features.some(({ server }) => unquote(server) === unquote(name));
}

/** Files may use different quotes. */
function unquote(text: string | undefined): string | undefined {
  return text?.replace(/^['"`]|['"`]$/g, '');
}

function migrateOptions(
  migration: Migration,
  object: ObjectLiteralExpression,
  { hasRoutes, features, own }: ModuleContext & { readonly hasRoutes: boolean },
): string | undefined {
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  const globalPrefix = findGlobalPrefix(migration);
  const { members, decisions } = readEndpointOptions(file, object, { hasRoutes, globalPrefix, own });
  const name = getValue(findProperty(object, 'name', morph), morph)?.getText();
  const server = isNamed(name, features) ? [`server: ${name}`] : [];
  for (const member of object.getProperties()) {
    if (morph.Node.isSpreadAssignment(member)) file.decide(member, 'serverOptions');
  }
  const rest = replaceMembers(migration, object, members);
  const guards = findProperty(object, 'guards', morph);
  // The controller has its own guards.
  if (own === undefined) migrateGuards(file, object, hasRoutes);
  else if (guards !== undefined) removeMember(file, guards);
  migrateSharedOptions(migration, object);
  const moved = own !== undefined && hasRoutes && own.decorators.length > 0 ? [formatDecorators(own)] : [];
  migrateServerInfo(file, object, [...server, ...rest, ...moved, ...formatToolAccess(migration, object)]);
  markMissingAuth(migration, object);
  for (const decision of decisions) {
    // Tests run in a single process.
    if (decision !== 'sessions' || !isTest(file)) file.decide(object, decision);
  }
  return name;
}

/** The properties that replace others in place, so that comments above them still apply. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  mcpEndpoint: 'mcpPath',
  sseEndpoint: 'sse',
  streamableHttp: 'stateless',
  sse: 'streams',
};

/** Replaces properties in place, and removes the others. Returns the properties without a counterpart to replace. */
function replaceMembers(
  migration: Migration,
  object: ObjectLiteralExpression,
  members: readonly string[],
): readonly string[] {
  const file = migration.fileOf(object);
  const known: readonly (string | undefined)[] = ENDPOINT_MEMBERS;
  const placed = new Set<string>();
  for (const member of object.getProperties()) {
    const name = getMemberName(member, file.facts.morph);
    if (name === undefined || !known.includes(name)) continue;
    const text = members.find((one) => one.startsWith(`${REPLACEMENTS[name] ?? ''}:`));
    if (text === undefined) removeMember(file, member);
    else file.edits.replace({ start: member.getStart(), end: member.getEnd() }, text);
    if (text !== undefined) placed.add(text);
    tellLeftOut(migration, member);
  }
  return members.filter((one) => !placed.has(one));
}

function tellLeftOut(migration: Migration, member: Node): void {
  for (const name of ['messagesEndpoint', 'enableJsonResponse', 'sessionIdGenerator']) {
    if (member.getText().includes(name)) migration.leaveOut(member, name);
  }
}

/** With several servers, modules previously determined the server for classes that no feature lists. */
function markSeveral(
  { file, call }: Server,
  name: string | undefined,
  { features, servers }: ModuleContext,
): void {
  const beside = servers.filter((other) => other.file === file);
  if (beside.length > 1 && !isTest(file) && !isNamed(name, features)) file.decide(call, 'severalServers');
}

function isTest({ path }: SourceMigration): boolean {
  return /(?:^|[./-])(?:spec|tests?|e2e)(?:[./-]|$)/.test(path);
}

/** Turns the server and the classes into properties of one object. */
function migrateFeature({ file, call, server, providers }: Feature): void {
  const first = call.getArguments()[0]?.getStart();
  const last = call.getArguments().at(-1)?.getEnd();
  if (first === undefined || last === undefined || server === undefined || providers === undefined) {
    return file.decide(call, 'severalServers');
  }
  file.edits.replace({ start: first, end: last }, () => {
    const classes = file.edits.render({ start: providers.getStart(), end: providers.getEnd() });
    return `{ server: ${server}, providers: ${classes} }`;
  });
}

/** Finds the `forRootAsync()` options, which its factory or a method of its class returns. */
function findFactoryObjects(
  migration: Migration,
  object: ObjectLiteralExpression,
): readonly ObjectLiteralExpression[] {
  const { morph } = migration.facts;
  const { Node: is } = morph;
  const member = findProperty(object, 'useFactory', morph);
  const value = getValue(member, morph);
  const made = is.isMethodDeclaration(member) ? member : (findInitializer(value, morph) ?? value);
  if (made !== undefined) return findReturned(migration, made);
  const named = ['useClass', 'useExisting'].map((name) => getValue(findProperty(object, name, morph), morph));
  return named.flatMap((name) => {
    const symbol = name?.getSymbol();
    const target = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
    const method = is.isClassDeclaration(target) ? target.getMethod('createMcpOptions') : undefined;
    return method === undefined ? [] : findReturned(migration, method);
  });
}

/** Finds the objects that a function returns. */
function findReturned({ facts }: Migration, made: Node): readonly ObjectLiteralExpression[] {
  const { Node: is, SyntaxKind } = facts.morph;
  const body = is.isArrowFunction(made) ? made.getBody() : made;
  if (!is.isBlock(body) && is.isArrowFunction(made)) {
    const object = findObject(body, facts.morph);
    return object === undefined ? [] : [object];
  }
  return body.getDescendantsOfKind(SyntaxKind.ReturnStatement).flatMap((statement) => {
    const object = findObject(statement.getExpression(), facts.morph);
    return object === undefined ? [] : [object];
  });
}

/** A release 1 `McpModule.forFeature()` call. */
interface Feature {
  readonly file: SourceMigration;
  readonly call: CallExpression;
  readonly providers: Node | undefined;
  /** The expression for the server name. */
  readonly server: string | undefined;
}

/** Finds the calls that assign classes to servers. */
function findFeatures({ files }: Migration): readonly Feature[] {
  return files.flatMap((file) => {
    const { Node: is } = file.facts.morph;
    return file.references.flatMap(({ name, node }) => {
      const access = node.getParent();
      if (name !== 'McpModule' || !is.isPropertyAccessExpression(access)) return [];
      const call = access.getParent();
      if (access.getName() !== 'forFeature' || !is.isCallExpression(call)) return [];
      const [providers, server] = call.getArguments();
      return [{ file, call, providers, server: server?.getText() }];
    });
  });
}
