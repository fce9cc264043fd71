import type { VariableDeclaration } from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findVariableUses } from './strategies.js';
import { removeLine } from './removed-lines.js';

/** Takes out constants of transports that only strategies used: their options are those of the server now. */
export function removeTransports(migration: Migration): void {
  for (const file of migration.files) {
    for (const constant of findConstants(file)) {
      const uses = findVariableUses(migration, constant);
      const isUnused = uses.every((use) => {
        const { edits } = migration.fileOf(use);
        return edits.covers({ start: use.getStart(), end: use.getEnd() });
      });
      const statement = constant.getVariableStatement();
      if (uses.length === 0 || !isUnused || statement?.getDeclarations().length !== 1) continue;
      removeLine(file, statement);
      migration.leaveOut(constant, constant.getText());
    }
  }
}

function findConstants(file: SourceMigration): readonly VariableDeclaration[] {
  const { Node: is } = file.facts.morph;
  return file.references.flatMap(({ name, node }) => {
    const constant = node.getParent()?.getParent();
    const isTransport = name === 'StreamableHttpTransport' || name === 'StdioTransport';
    return isTransport && is.isVariableDeclaration(constant) ? [constant] : [];
  });
}
