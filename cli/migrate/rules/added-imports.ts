import type { ImportDeclaration } from 'ts-morph';
import { formatImport, readSourceStyle } from '../../application/source-style.js';
import type { SourceMigration, RequiredImport } from '../source/source-migration.js';

/** Imports names with separate statements, after the other imports. */
export function addImports(file: SourceMigration, wanted: readonly RequiredImport[]): void {
  if (wanted.length === 0) return;
  const modules = [...new Set(wanted.map(({ from }) => from))];
  const lines = modules.map((from) => {
    const names = wanted.filter((one) => one.from === from).map((one) => formatWanted(one));
    return formatImportOf(file, names, from);
  });
  const last = findLastImport(file);
  if (last !== undefined)
    return file.edits.insert(last.getEnd(), lines.map((line) => `${file.lineEnd}${line}`).join(''));
  const first = file.file.getStatements().find((statement) => !/^['"]use /.test(statement.getText()));
  file.edits.insert(
    first?.getStart() ?? 0,
    lines.map((line) => `${toRequire(file, line)}${file.lineEnd}`).join(''),
  );
}

/** Finds the last import that stays in a file. */
export function findLastImport({ file, edits }: SourceMigration): ImportDeclaration | undefined {
  return file
    .getImportDeclarations()
    .findLast((one) => !edits.covers({ start: one.getStart(), end: one.getEnd() }));
}

/** Formats an import in the style of a file. */
export function formatImportOf({ text }: SourceMigration, names: readonly string[], from: string): string {
  return formatImport(names.join(', '), from, readSourceStyle(text, true));
}

/** Formats a name in a list of imports. */
export function formatWanted({ name, local, isType }: RequiredImport, isInType = false): string {
  const mark = isType && !isInType ? 'type ' : '';
  return local === name ? `${mark}${name}` : `${mark}${name} as ${local}`;
}

/** A file that loads its packages with `require()` continues to do so. */
function toRequire({ file, text }: SourceMigration, line: string): string {
  const isRequiring = /\brequire\(/.test(text) && file.getExportDeclarations().length === 0;
  const [, names = '', from = '', end = ''] = /^import (\{.*\}) from (.+?)(;?)$/.exec(line) ?? [];
  return isRequiring ? `const ${names.replaceAll(' as ', ': ')} = require(${from})${end}` : line;
}
