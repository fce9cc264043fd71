import type { CallExpression, PropertyAccessExpression } from 'ts-morph';
import { findObject, findProperty, renameMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Rewrites calls of the SDK's server that the context has members for. */
export function migrateServerCall(file: SourceMigration, access: PropertyAccessExpression): void {
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

/** A form has its schema under another name; a page is another method. */
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
