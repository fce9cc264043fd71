import type { CallExpression, Identifier, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findUses } from '../source/references.js';
import type { SourceMigration } from '../source/source-migration.js';
import { removeLine } from './removed-lines.js';

/** Serves stdio with `McpStdio`, if nothing else uses the application. */
export function runOnPipe(migration: Migration, call: CallExpression): void {
  const file = migration.fileOf(call);
  const { Node: is } = file.facts.morph;
  const [root] = call.getArguments();
  const awaited = call.getParent();
  const variable = is.isAwaitExpression(awaited) ? awaited.getParent() : undefined;
  if (root !== undefined && is.isExpressionStatement(variable)) return replaceStart(file, variable, root);
  if (root === undefined || !is.isVariableDeclaration(variable) || !is.isIdentifier(variable.getNameNode())) {
    return file.decide(call, 'stdio');
  }
  const statement = variable.getVariableStatement();
  const uses = findUses(variable.getNameNode(), file.facts.morph);
  const statements = uses.map((use) => findLifecycle(file, use));
  if (statement === undefined || statements.includes(undefined)) return file.decide(call, 'stdio');
  replaceStart(file, statement, root);
  for (const one of statements) if (one !== undefined) remove(migration, file, one);
}

function replaceStart(file: SourceMigration, statement: Node, root: Node): void {
  const stdio = file.use('McpStdio');
  const end = /;?$/.exec(statement.getText())?.[0] ?? ';';
  file.edits.replace(
    { start: statement.getStart(), end: statement.getEnd() },
    () => `await ${stdio}.run(${file.edits.render({ start: root.getStart(), end: root.getEnd() })})${end}`,
  );
}

const LIFECYCLE = new Set(['listen', 'init', 'close', 'enableShutdownHooks']);

/** Finds the statement that starts or closes the application. Returns `undefined` for other uses. */
function findLifecycle({ facts }: SourceMigration, use: Identifier): Node | undefined {
  const { Node: is } = facts.morph;
  const access = use.getParent();
  if (is.isReturnStatement(access)) return access;
  const call = access?.getParent();
  if (!is.isPropertyAccessExpression(access) || !LIFECYCLE.has(access.getName())) return undefined;
  if (!is.isCallExpression(call)) return undefined;
  const outer = is.isAwaitExpression(call.getParent()) ? call.getParent() : call;
  const statement = outer?.getParent();
  return is.isExpressionStatement(statement) || is.isReturnStatement(statement) ? statement : undefined;
}

function remove(migration: Migration, file: SourceMigration, statement: Node): void {
  removeLine(file, statement);
  migration.notes.add(`${file.path}: "${statement.getText()}" was removed, because "McpStdio" does this`);
}
