import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findHandlers } from '../source/handlers.js';

/** In release 2, callers received the message of an `RpcException`. In classes with handlers, it becomes a `ToolError`. */
export function migrateErrors(migration: Migration): void {
  if (migration.facts.release === 1) return;
  for (const file of migration.files) for (const method of findHandlers(file)) migrateThrown(file, method);
}

function migrateThrown(file: SourceMigration, method: ReturnType<typeof findHandlers>[number]): void {
  const { Node: is, SyntaxKind } = file.facts.morph;
  const declaration = method.getParent();
  for (const created of declaration.getDescendantsOfKind(SyntaxKind.NewExpression)) {
    const thrown = created.getExpression();
    const isRpc = thrown.getText() === 'RpcException' && is.isThrowStatement(created.getParent());
    if (!isRpc) continue;
    file.edits.replace({ start: thrown.getStart(), end: thrown.getEnd() }, file.use('ToolError'));
  }
}
