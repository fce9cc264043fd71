import { posix } from 'node:path';
import { readSourceStyle } from '../../application/source-style.js';
import type { SourceMigration } from './source-migration.js';

/** Formats the specifier that a file uses to import a TypeScript file. */
export function formatSpecifier(file: SourceMigration, path: string): string {
  const { extension } = readSourceStyle(file.text, false);
  const relative = posix.relative(posix.dirname(file.path), path).replace(/\.ts$/, extension);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Checks whether a file imports another one, directly or indirectly. */
export function reaches(
  files: readonly SourceMigration[],
  from: SourceMigration,
  to: SourceMigration,
): boolean {
  const seen = new Set([from]);
  for (const file of seen) {
    if (file === to) return true;
    for (const next of listImported(files, file)) seen.add(next);
  }
  return false;
}

function listImported(files: readonly SourceMigration[], { path, file }: SourceMigration) {
  const declarations = [...file.getImportDeclarations(), ...file.getExportDeclarations()];
  return declarations.flatMap((declaration) => {
    const specifier = declaration.getModuleSpecifierValue() ?? '';
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), specifier).replace(/\.[cm]?[jt]sx?$/, '');
    return files.filter((one) =>
      [target, `${target}/index`].includes(one.path.replace(/\.[cm]?[jt]sx?$/, '')),
    );
  });
}
