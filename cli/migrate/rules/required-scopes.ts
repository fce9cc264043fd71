import type { ObjectLiteralExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findProperty } from '../source/objects.js';

/** A server whose handlers require scopes does not start without `auth`, which the developer has to set. */
export function markMissingAuth(migration: Migration, options: ObjectLiteralExpression): void {
  const isRequired = migration.files.some(({ references }) =>
    references.some(({ name }) => name === 'ToolScopes'),
  );
  if (
    !isRequired ||
    migration.access !== undefined ||
    findProperty(options, 'auth', migration.facts.morph) !== undefined
  )
    return;
  migration.fileOf(options).decide(options, 'scopes');
}
