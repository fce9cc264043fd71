import type { Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findThrows } from '../plain-errors.js';
import { findHandlers } from '../source/handlers.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Release 1 exposed the messages of all errors. Notes where classes with handlers throw errors whose messages callers no longer receive. */
export function findPlainErrors(migration: Migration): void {
  if (migration.facts.release !== 1) return;
  for (const file of migration.files) {
    const classes = new Set<Node>(findHandlers(file).map((method) => method.getParent()));
    const starts = [...classes].flatMap((one) => findThrown(file, one));
    for (const start of starts.toSorted((one, other) => one - other)) {
      const index = findThrows(file.text).indexOf(start);
      if (index !== -1) migration.plainErrors.push({ path: file.path, index });
    }
  }
}

/** Errors from a constructor never reach callers. */
function findThrown({ facts }: SourceMigration, within: Node): readonly number[] {
  const { Node: is, SyntaxKind } = facts.morph;
  return within.getDescendantsOfKind(SyntaxKind.ThrowStatement).flatMap((statement) => {
    const thrown = statement.getExpression();
    const isPlain = is.isNewExpression(thrown) && thrown.getExpression().getText() === 'Error';
    const isInCall = statement.getFirstAncestorByKind(SyntaxKind.Constructor) === undefined;
    return isPlain && isInCall ? [statement.getStart()] : [];
  });
}
