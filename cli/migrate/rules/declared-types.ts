import { findCounterpart } from '../counterparts/exported-names.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findLastImport } from './added-imports.js';

/** Declares types that the other package had, and this one leaves to the application. */
export function addDeclarations(file: SourceMigration): void {
  const last = findLastImport(file);
  if (last === undefined) return;
  for (const { theirs, local, isDirect, declaration } of file.entrances) {
    const counterpart = findCounterpart(theirs);
    const isUsed = file.references.some(({ entrance }) => entrance.declaration === declaration);
    if (counterpart.kind !== 'declared' || !isDirect || !isUsed) continue;
    const text = counterpart.declaration.replace(theirs, local);
    file.edits.insert(last.getEnd(), `${file.lineEnd.repeat(2)}${text};`);
  }
}
