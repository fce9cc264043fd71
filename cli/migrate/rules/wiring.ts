import type { Identifier, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findConnectingCall } from './connecting-call.js';
import { removeLine } from './removed-lines.js';
import type { Strategy } from './strategies.js';
import { runOnPipe } from './pipe-start.js';

/** Takes out what connected a strategy with its application: the module does it. */
export function removeWiring(migration: Migration, { uses }: Strategy): void {
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

/** Something else is done with it, which a module does not have. */
function leave(file: SourceMigration, use: Identifier): void {
  if (file.edits.covers({ start: use.getStart(), end: use.getEnd() })) return;
  const { Node: is } = file.facts.morph;
  const access = use.getParent();
  const isAdding = is.isPropertyAccessExpression(access) && /^(?:register|remove)/.test(access.getName());
  file.decide(use, isAdding ? 'dynamicCapabilities' : 'wiring');
}

/** Other microservices of the application still have to be started. */
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

/** Takes a statement out, with its line; comments above it stay. */
export function removeStatement(migration: Migration, node: Node): void {
  const file = migration.fileOf(node);
  const statement = node.getFirstAncestorByKind(file.facts.morph.SyntaxKind.ExpressionStatement);
  if (statement === undefined) return file.decide(node, 'wiring');
  removeLine(file, statement);
  migration.notes.add(`${file.path}: "${summarize(statement)}" is left out: the module does it`);
}

function summarize(node: Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
