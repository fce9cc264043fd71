import type { CallExpression, ObjectLiteralExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, removeMember, findProperty } from '../source/objects.js';
import { markMissingAuth } from './required-scopes.js';
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
    migrateOptions(migration, object, findStrategyCalls(migration, strategy));
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

function migrateOptions(
  migration: Migration,
  object: ObjectLiteralExpression,
  calls: readonly CallExpression[],
): void {
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  const transports = findProperty(object, 'transports', morph);
  const served = readTransportOptions(migration, file, { member: transports, isHybrid: isHybrid(calls) });
  const global = readGlobalEnhancers(migration, calls);
  for (const name of ['transports', 'httpAdapter']) {
    const member = findProperty(object, name, morph);
    if (member !== undefined) removeMember(file, member);
  }
  migrateSharedOptions(migration, object);
  migrateServerInfo(file, object, [...served.members, ...global.members]);
  markMissingAuth(migration, object);
  for (const decision of [...served.decisions, ...global.decisions]) file.decide(object, decision);
}
