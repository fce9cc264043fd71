import type { ImportDeclaration, ImportSpecifier } from 'ts-morph';
import { findUses } from '../source/references.js';
import type { SourceMigration } from '../source/source-migration.js';

const IMPORT = /^import\b[^'"]*['"][^'"]+['"];?/gm;

/** Returns the names of an import, except those that nothing uses any more. */
export function dropUnused(
  file: SourceMigration,
  declaration: ImportDeclaration,
): readonly (string | undefined)[] {
  const specifiers = declaration.getNamedImports();
  const isTouched = specifiers.some((specifier) => hasLostUse(file, specifier));
  const left = isTouched ? file.edits.apply().replace(IMPORT, '') : '';
  return specifiers.map((specifier) => {
    const isGone = hasLostUse(file, specifier) && !new RegExp(`\\b${getName(specifier)}\\b`).test(left);
    return isGone ? undefined : specifier.getText();
  });
}

function getName(specifier: ImportSpecifier): string {
  return (specifier.getAliasNode() ?? specifier.getNameNode()).getText();
}

/** One that nothing used before stays: it is somebody else's matter. What is moved is still there. */
function hasLostUse(file: SourceMigration, specifier: ImportSpecifier): boolean {
  const uses = findUses(specifier.getAliasNode() ?? specifier.getNameNode(), file.facts.morph);
  return uses.some((use) => file.edits.covers({ start: use.getStart(), end: use.getEnd() }));
}
