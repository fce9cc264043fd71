import type { CallExpression, Node, SourceFile, StringLiteral } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findHandlers } from '../source/handlers.js';
import { findInitializer } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

const THEIRS = 'rpc';
const MCP = 'mcp';

/** In release 2, handlers had the context type of Nest's microservices. Code that checks for it would no longer recognise them. */
export function migrateContextTypes(migration: Migration): void {
  if (migration.facts.release === 1) return;
  const enhancers = findEnhancerFiles(migration);
  const areOthers = migration.files.some(({ text }) => /@(?:MessagePattern|EventPattern)\(/.test(text));
  for (const file of migration.files) {
    const isOfHandlers = file.entrances.length > 0 || enhancers.has(file.file);
    // Of several kinds of microservices, the others' guards are none of our business.
    if (!isOfHandlers && areOthers) continue;
    migrateComparisons(file, isOfHandlers && !areOthers);
    if (isOfHandlers) markHosts(file);
  }
}

const ENHANCING = new Set(['UseGuards', 'UseInterceptors', 'UseFilters', 'UsePipes']);

/** Finds the files that declare what decorators give to handlers and their classes. */
function findEnhancerFiles({ files, facts }: Migration): ReadonlySet<SourceFile> {
  const { Node: is, SyntaxKind } = facts.morph;
  const methods = files.flatMap((file) => findHandlers(file));
  const decorated = new Set(methods.flatMap((method) => [method, method.getParent()]));
  const names = [...decorated]
    .flatMap((node) => (is.isDecoratable(node) ? node.getDecorators() : []))
    .filter((decorator) => ENHANCING.has(decorator.getName()))
    .flatMap((decorator) => decorator.getArguments())
    .flatMap((argument) => [argument, ...argument.getDescendantsOfKind(SyntaxKind.Identifier)]);
  return new Set(names.flatMap((name) => findDeclaring(name)));
}

function findDeclaring(name: Node): readonly SourceFile[] {
  const symbol = name.getSymbol();
  const target = symbol?.getAliasedSymbol() ?? symbol;
  return (target?.getDeclarations() ?? []).map((declaration) => declaration.getSourceFile());
}

function migrateComparisons(file: SourceMigration, isOurs: boolean): void {
  const { SyntaxKind } = file.facts.morph;
  if (!file.text.includes('getType')) return;
  const opened = new Set<CallExpression>();
  for (const literal of file.file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    const asked = literal.getLiteralValue() === THEIRS ? findAsked(file, literal) : undefined;
    if (asked === undefined) continue;
    if (!isOurs) {
      file.decide(literal, 'contextType');
      continue;
    }
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, MCP);
    opened.add(asked);
  }
  for (const call of opened) openType(file, call);
}

/** Finds the call of `getType()` that a text is compared with. */
function findAsked(file: SourceMigration, literal: StringLiteral): CallExpression | undefined {
  const { morph } = file.facts;
  const compared = findCompared(literal, file);
  const asked = findInitializer(compared, morph) ?? compared;
  if (!morph.Node.isCallExpression(asked)) return undefined;
  return asked.getExpression().getText().endsWith('.getType') ? asked : undefined;
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

/** Nest's type of contexts does not have this one. */
function openType(file: SourceMigration, call: CallExpression): void {
  if (!/\.[cm]?tsx?$/.test(file.path)) return;
  const [type] = call.getTypeArguments();
  if (type === undefined) file.edits.insert(call.getExpression().getEnd(), '<string>');
  else file.edits.replace({ start: type.getStart(), end: type.getEnd() }, 'string');
}

/** What is taken of it is the arguments and the context of this package. */
function markHosts(file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  for (const access of file.file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
    if (access.getName() === 'switchToRpc') file.decide(access, 'rpcHost');
  }
}
