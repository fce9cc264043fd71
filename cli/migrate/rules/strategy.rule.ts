import type { Node, ObjectLiteralExpression } from 'ts-morph';
import { formatToolAccess } from '../access/tool-access.js';
import type { Migration } from '../migration.js';
import { findObject, removeMember, findProperty } from '../source/objects.js';
import { findDeclarations } from '../source/composed-decorators.js';
import { findGlobalPrefix } from './global-prefix.js';
import { formatDecorators, takeEndpoint, type ServedServer } from './own-endpoints.js';
import { markMissingAuth } from './required-scopes.js';
import type { OwnEndpoint } from './own-endpoint.interface.js';
import { migrateServerInfo } from './server-info.js';
import { migrateSharedOptions } from './shared-options.js';
import { importServer } from './server-home.js';
import { findStrategies, type Strategy } from './strategies.js';
import { removeTransports } from './transport-constants.js';
import { findStrategyCalls, isHybrid, readGlobalEnhancers } from './strategy-calls.js';
import { readTransportOptions } from './transport-options.js';
import { removeWiring } from './wiring.js';

/** Makes a module of each strategy of release 2, imports it where the application is made, and takes the wiring out. */
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

/** A controller serves the server that has its transport. */
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

/** Routes of Nest move with a global prefix; those that the transport made itself did not. */
function replacePath(migration: Migration, members: readonly string[], own: OwnEndpoint): readonly string[] {
  const others = members.filter((member) => !member.startsWith('mcpPath:'));
  return [
    ...(own.path === '/mcp' ? [] : [`mcpPath: '${own.path}'`]),
    ...others,
    ...(findGlobalPrefix(migration) === 'plain' ? ['useGlobalPrefix: true'] : []),
    ...(own.decorators.length > 0 ? [formatDecorators(own)] : []),
  ];
}
