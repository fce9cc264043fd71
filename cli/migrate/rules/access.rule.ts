import type { CallExpression, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Rewrites access rules: lists become arguments, and roles become a decision. */
export function migrateAccess(migration: Migration): void {
  for (const file of migration.files) {
    const { Node: is } = file.facts.morph;
    for (const { name, node } of file.references) {
      const { access } = migration;
      if (access !== undefined && OF_ACCESS.has(name)) {
        file.edits.replace({ start: node.getStart(), end: node.getEnd() }, access.use(file, name));
        continue;
      }
      const call = node.getParent();
      if (!is.isCallExpression(call) || call.getExpression() !== node) continue;
      if (name === 'ToolScopes') migrateScopes(file, call);
      else if (name === 'ToolGuards') migrateGuards(migration, file, call);
      else if (name === 'ToolRoles') file.decide(call, 'roles');
    }
  }
}

/** Names that the access rules file also exports. */
const OF_ACCESS = new Set(['PublicTool', 'ToolScopes', 'ToolRoles']);

function migrateScopes(file: SourceMigration, call: CallExpression): void {
  const [scopes, options] = call.getArguments();
  if (scopes === undefined) return;
  spreadList(file, scopes);
  if (options === undefined) return;
  if (/\bany\b/.test(options.getText())) file.decide(call, 'anyScope');
  file.edits.remove({ start: scopes.getEnd(), end: options.getEnd() });
}

function migrateGuards(migration: Migration, file: SourceMigration, call: CallExpression): void {
  const [guards] = call.getArguments();
  if (guards === undefined) return;
  spreadList(file, guards);
  migration.notes.add(
    `${file.path}: guards of "@ToolGuards()" now run like guards of "@UseGuards()". Lists show the tool to all callers unless its option "visible" hides it, and "request.body" does not contain the arguments of the call`,
  );
}

/** Turns the elements of a list into arguments. */
export function spreadList(file: SourceMigration, list: Node): void {
  const { Node: is } = file.facts.morph;
  if (!is.isArrayLiteralExpression(list)) return file.edits.insert(list.getStart(), '...');
  file.edits.remove({ start: list.getStart(), end: list.getStart() + 1 });
  file.edits.remove({ start: list.getEnd() - 1, end: list.getEnd() });
}
