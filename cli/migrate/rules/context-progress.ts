import type { CallExpression, Node, ObjectLiteralExpression, PropertyAccessExpression } from 'ts-morph';
import { findProperty, getMemberName, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findExpectation } from './expectations.js';

const MEMBERS = ['progress', 'total', 'message'] as const;

/**
 * Rewrites `reportProgress({ progress, total, message })`, whose properties are arguments here. There is no promise
 * to await.
 */
export function migrateProgress(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const call = access.getParent();
  if (findExpectation(file, access) !== undefined) {
    if (!migrateExpected(file, access)) return file.decide(access, 'progress');
    return rename(file, access);
  }
  // Such as `context.reportProgress.mockClear()`, which concerns no arguments.
  if (is.isPropertyAccessExpression(call) && /^mock(?:Clear|Re)/.test(call.getName()))
    return rename(file, access);
  if (!is.isCallExpression(call) || call.getExpression() !== access) return file.decide(access, 'progress');
  const [argument] = call.getArguments();
  const values = argument && readValues(file, argument);
  // The code uses the former promise.
  const isChained = is.isPropertyAccessExpression(call.getParent());
  if (argument === undefined || values === undefined || isChained) return file.decide(call, 'progress');
  rename(file, access);
  replaceArgument(file, argument, values);
  dropAwait(file, call);
}

/** Rewrites the arguments that a test expects a mock to be called with. Returns whether they can be read. */
export function migrateExpected(file: SourceMigration, mock: Node): boolean {
  const { expected = [] } = findExpectation(file, mock) ?? {};
  const [argument, ...others] = expected;
  if (argument === undefined) return true;
  const isWritten = file.facts.morph.Node.isObjectLiteralExpression(argument);
  const values = isWritten ? readValues(file, argument) : undefined;
  if (values === undefined || others.length > 0) return false;
  replaceArgument(file, argument, values);
  return true;
}

function replaceArgument(file: SourceMigration, argument: Node, values: readonly (Node | string)[]): void {
  file.edits.replace({ start: argument.getStart(), end: argument.getEnd() }, () =>
    values.map((value) => (typeof value === 'string' ? value : renderNode(file, value))).join(', '),
  );
}

function rename(file: SourceMigration, access: PropertyAccessExpression): void {
  const name = access.getNameNode();
  file.edits.replace({ start: name.getStart(), end: name.getEnd() }, 'progress');
}

function renderNode(file: SourceMigration, node: Node): string {
  return file.edits.render({ start: node.getStart(), end: node.getEnd() });
}

/** Returns the arguments in order, or `undefined` if they are not an object literal or contain comments. */
function readValues(file: SourceMigration, argument: Node): readonly (Node | string)[] | undefined {
  const { Node: is } = file.facts.morph;
  if (is.isAsExpression(argument) || is.isParenthesizedExpression(argument)) {
    return readValues(file, argument.getExpression());
  }
  if (is.isIdentifier(argument)) return MEMBERS.map((name) => `${argument.getText()}.${name}`);
  if (!is.isObjectLiteralExpression(argument) || hasMore(file, argument)) return undefined;
  const values = MEMBERS.map((name) =>
    getValue(findProperty(argument, name, file.facts.morph), file.facts.morph),
  );
  const last = values.findLastIndex((value) => value !== undefined);
  return values.slice(0, last + 1).map((value) => value ?? 'undefined');
}

function hasMore(file: SourceMigration, object: ObjectLiteralExpression): boolean {
  const known: readonly (string | undefined)[] = MEMBERS;
  const isUnknown = object
    .getProperties()
    .some((member) => !known.includes(getMemberName(member, file.facts.morph)));
  return isUnknown || /\/\/|\/\*/.test(object.getText().replace(/(['"`]).*?\1/g, ''));
}

/** Removes `await`, because linters flag it without a promise. */
function dropAwait(file: SourceMigration, call: CallExpression): void {
  const { Node: is } = file.facts.morph;
  const parent = call.getParent();
  if (is.isAwaitExpression(parent) && is.isExpressionStatement(parent.getParent())) {
    file.edits.remove({ start: parent.getStart(), end: call.getStart() });
  }
}
