import type { CallExpression, Node, StringLiteral } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findInitializer } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findEnhancerFiles } from './enhancer-files.js';

const THEIRS = 'rpc';
const MCP = 'mcp';

/** In release 2, handlers had the context type of Nest's microservices. Code that checks for it would no longer recognize them. */
export function migrateContextTypes(migration: Migration): void {
  const enhancers = findEnhancerFiles(migration);
  if (migration.facts.release === 1) {
    for (const file of migration.files) if (enhancers.has(file.file)) markHttp(file);
    return;
  }
  const areOthers = migration.files.some(({ text }) => /@(?:MessagePattern|EventPattern)\(/.test(text));
  for (const file of migration.files) {
    const isOfHandlers = file.importedNames.length > 0 || enhancers.has(file.file);
    // Guards of other microservices in the application are left alone.
    if (!isOfHandlers && areOthers) continue;
    migrateComparisons(file, isOfHandlers && !areOthers);
    if (isOfHandlers) markHosts(file);
  }
}

function migrateComparisons(file: SourceMigration, isOurs: boolean): void {
  const { SyntaxKind } = file.facts.morph;
  if (!file.text.includes('getType')) return;
  const opened = new Set<CallExpression>();
  for (const literal of file.file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    if (literal.getLiteralValue() !== THEIRS) continue;
    const asked = findAsked(file, literal);
    if (asked === undefined && !isAskedOtherwise(file, literal)) continue;
    if (!isOurs || asked === undefined) {
      file.decide(literal, 'contextType');
      continue;
    }
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, MCP);
    opened.add(asked);
  }
  for (const call of opened) openType(file, call);
}

/** Finds the `getType()` call that a string is compared with. */
function findAsked(file: SourceMigration, literal: StringLiteral): CallExpression | undefined {
  const { morph } = file.facts;
  const compared = findCompared(literal, file);
  const asked = findInitializer(compared, morph) ?? compared;
  if (!morph.Node.isCallExpression(asked)) return undefined;
  return asked.getExpression().getText().endsWith('.getType') ? asked : undefined;
}

/** In `type.startsWith('rpc')` and `['rpc'].includes(type)`, the string may match more than this type. */
function isAskedOtherwise({ facts }: SourceMigration, literal: StringLiteral): boolean {
  const { morph } = facts;
  const call = literal.getFirstAncestorByKind(morph.SyntaxKind.CallExpression);
  const access = call?.getExpression();
  if (call === undefined || !morph.Node.isPropertyAccessExpression(access)) return false;
  return [access.getExpression(), ...call.getArguments()].some((one) => {
    const asked = findInitializer(one, morph) ?? one;
    return morph.Node.isCallExpression(asked) && asked.getExpression().getText().endsWith('.getType');
  });
}

/** In release 1, guards of handlers always read "http", as guards of routes do. */
function markHttp(file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  for (const literal of file.file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    if (literal.getLiteralValue() === 'http' && findAsked(file, literal) !== undefined)
      file.decide(literal, 'contextTypeOfHttp');
  }
}

function findCompared(literal: StringLiteral, { facts }: SourceMigration): Node | undefined {
  const { Node: is, SyntaxKind } = facts.morph;
  const parent = literal.getParent();
  if (is.isCaseClause(parent)) {
    return parent.getFirstAncestorByKind(SyntaxKind.SwitchStatement)?.getExpression();
  }
  if (!is.isBinaryExpression(parent) || !/^[!=]==?$/.test(parent.getOperatorToken().getText()))
    return undefined;
  return parent.getLeft() === literal ? parent.getRight() : parent.getLeft();
}

/** Nest's `ContextType` does not include `mcp`. */
function openType(file: SourceMigration, call: CallExpression): void {
  if (!/\.[cm]?tsx?$/.test(file.path)) return;
  const [type] = call.getTypeArguments();
  if (type === undefined) file.edits.insert(call.getExpression().getEnd(), '<string>');
  else file.edits.replace({ start: type.getStart(), end: type.getEnd() }, 'string');
}

/** Marks `switchToRpc()`, which returns the arguments and this package's context. */
function markHosts(file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  for (const access of file.file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
    if (access.getName() === 'switchToRpc') file.decide(access, 'rpcHost');
  }
}
