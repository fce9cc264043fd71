import type { CallExpression, Node, PropertyAccessExpression } from 'ts-morph';
import { readSourceStyle } from '../../application/source-style.js';
import { LOG_LEVELS } from '../replacements/context-members.js';
import type { DecisionKey } from '../replacements/decisions.js';
import type { Migration } from '../migration.js';
import { findContexts, findContextUses, findNamelessUses, type ContextCarrier } from '../source/contexts.js';
import { findObject, findProperty, renameMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { migrateProgress } from './context-progress.js';

/** Rewrites SDK server calls for which the context has its own properties. */
function migrateServerCall(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const server = access.getParent();
  const method = server?.getParent();
  const call = method?.getParent();
  const isCall =
    is.isPropertyAccessExpression(server) &&
    server.getName() === 'server' &&
    is.isPropertyAccessExpression(method) &&
    is.isCallExpression(call) &&
    call.getExpression() === method;
  const migrate = isCall ? METHODS[method.getName()] : undefined;
  if (!isCall || migrate === undefined) return file.decide(access, 'serverOfSdk');
  migrate(file, access, call);
}

type MigrateCall = (file: SourceMigration, access: PropertyAccessExpression, call: CallExpression) => void;

const METHODS: Readonly<Record<string, MigrateCall>> = {
  getClientCapabilities: (file, access, call) =>
    replace(file, access, { end: call.getEnd(), text: 'client.capabilities' }),
  getClientVersion: (file, access, call) =>
    replace(file, access, { end: call.getEnd(), text: 'client.info' }),
  elicitInput: migrateElicitation,
  createMessage: (file, access, call) =>
    replace(file, access, { end: call.getExpression().getEnd(), text: 'sample' }),
};

function replace(
  file: SourceMigration,
  access: PropertyAccessExpression,
  { end, text }: { readonly end: number; readonly text: string },
): void {
  file.edits.replace({ start: access.getNameNode().getStart(), end }, text);
}

/** A form contains its schema under a different name; URL elicitation is a different method. */
function migrateElicitation(
  file: SourceMigration,
  access: PropertyAccessExpression,
  call: CallExpression,
): void {
  const { morph } = file.facts;
  const form = findObject(call.getArguments()[0], morph);
  const schema = form && findProperty(form, 'requestedSchema', morph);
  if (form === undefined || schema === undefined || findProperty(form, 'mode', morph) !== undefined) {
    return file.decide(access, 'elicitation');
  }
  replace(file, access, { end: call.getExpression().getEnd(), text: 'elicit' });
  renameMember(file, schema, 'schema');
  file.decide(call, 'elicitation');
}

/** Rewrites how handlers use their context. */
export function migrateContexts(migration: Migration): void {
  for (const file of migration.files) {
    for (const carrier of findContexts(file)) migrateContext(file, carrier);
    for (const access of findNamelessUses(file)) migrateMember(file, access);
  }
}

/** Rewrites the uses of one context. */
export function migrateContext(file: SourceMigration, carrier: ContextCarrier): void {
  const { Node: is } = file.facts.morph;
  if (is.isObjectBindingPattern(carrier.getNameNode())) file.decide(carrier, 'contextMembers');
  for (const use of findContextUses(file, carrier)) migrateUse(file, use);
}

function migrateUse(file: SourceMigration, use: Node): void {
  const { Node: is } = file.facts.morph;
  const access = use.getParent();
  if (is.isVariableDeclaration(access) && is.isObjectBindingPattern(access.getNameNode())) {
    return file.decide(use, 'contextMembers');
  }
  if (is.isPropertyAccessExpression(access) && access.getExpression() === use) migrateMember(file, access);
}

function migrateMember(file: SourceMigration, access: PropertyAccessExpression): void {
  const name = access.getName();
  if (Object.hasOwn(MEMBERS, name)) MEMBERS[name]?.(file, access);
}

/** Migrates the use of a context property. */
type MigrateMember = (file: SourceMigration, access: PropertyAccessExpression) => void;

const MEMBERS: Readonly<Record<string, MigrateMember>> = {
  reportProgress: migrateProgress,
  log: migrateLog,
  mcpServer: migrateServerCall,
  mcpRequest: migrateRequest,
  getSession: migrateSession,
  getRawRequest: migrateRawRequest,
  getProtocolVersion: replaceCall('revision.version'),
  getClientCapabilities: replaceCall('client.capabilities'),
  getClientInfo: replaceCall('client.info'),
  getTraceContext: leave('request'),
};

function leave(key: DecisionKey): MigrateMember {
  return (file, access) => file.decide(access, key);
}

/** Replaces a call without arguments with a property. */
function replaceCall(text: string): MigrateMember {
  return (file, access) => {
    const call = access.getParent();
    if (file.facts.morph.Node.isCallExpression(call)) replaceMember(file, access, { until: call, text });
    else file.decide(access, 'contextMembers');
  };
}

/** The replacement for a context property, up to the end of a node. */
export interface MemberText {
  readonly until: Node;
  readonly text: string;
}

/** Replaces the property after the dot of the context. */
export function replaceMember(
  file: SourceMigration,
  access: PropertyAccessExpression,
  { until, text }: MemberText,
): void {
  file.edits.replace({ start: access.getNameNode().getStart(), end: until.getEnd() }, text);
}

function migrateRequest(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const member = access.getParent();
  if (!is.isPropertyAccessExpression(member)) return file.decide(access, 'request');
  const next = member.getParent();
  if (member.getName() === 'method') return replaceMember(file, access, { until: member, text: 'method' });
  if (member.getName() !== 'params') return file.decide(access, 'request');
  const isMeta = is.isPropertyAccessExpression(next) && next.getName() === '_meta';
  replaceMember(file, access, isMeta ? { until: next, text: 'meta' } : { until: member, text: 'params' });
}

function migrateSession(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const member = access.getParent()?.getParent();
  if (is.isPropertyAccessExpression(member) && member.getName() === 'sessionId') {
    return replaceMember(file, access, { until: member, text: 'session?.id' });
  }
  file.decide(access, 'session');
}

/** The request has no type here, so the type argument of the call becomes an assertion. */
function migrateRawRequest(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const call = access.getParent();
  if (!is.isCallExpression(call)) return file.decide(access, 'contextMembers');
  const [type] = call.getTypeArguments();
  const context = access.getExpression().getText();
  // Without a type argument, it was "unknown" before as well.
  const text = type === undefined ? undefined : `(${context}.http?.request as ${type.getText()} | undefined)`;
  if (text === undefined) return replaceMember(file, access, { until: call, text: 'http?.request' });
  file.edits.replace({ start: call.getStart(), end: call.getEnd() }, text);
}

/** Rewrites `log.info(message, data)`, whose level is an argument here. Clients receive the same entry. */
function migrateLog(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const method = access.getParent();
  const call = method?.getParent();
  const isCall =
    is.isPropertyAccessExpression(method) && is.isCallExpression(call) && call.getExpression() === method;
  const level = isCall ? LOG_LEVELS[method.getName()] : undefined;
  if (!isCall || level === undefined) return file.decide(access, 'contextMembers');
  const [message, data] = call.getArguments();
  if (message === undefined || is.isSpreadElement(message)) return file.decide(access, 'contextMembers');
  const { quote } = readSourceStyle(file.text, false);
  const start = access.getNameNode().getStart();
  file.edits.replace({ start, end: message.getStart() }, `log(${quote}${level}${quote}, { message: `);
  if (data !== undefined) file.edits.insert(data.getStart(), 'context: ');
  const last = data ?? message;
  file.edits.insert(last.getEnd(), ' }');
}
