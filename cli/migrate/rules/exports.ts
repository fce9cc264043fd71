import type { ExportDeclaration, ExportSpecifier } from 'ts-morph';
import { formatImport, readSourceStyle } from '../../application/source-style.js';
import { findReplacement, OURS } from '../replacements/exported-names.js';
import type { SourceMigration } from '../source/source-migration.js';
import type { FileNames } from './file-names.interface.js';
import { editSpecifiers } from './specifiers.js';

/** Rewrites the re-exports of a file. The names that other files import from it stay the same. */
export function migrateExports(file: SourceMigration, names: FileNames, passed: ReadonlySet<string>): void {
  for (const declaration of file.file.getExportDeclarations()) {
    const specifier = declaration.getModuleSpecifierValue();
    if (specifier === undefined) renameLocal(file, declaration, names);
    else if (file.facts.origins.isTheirs(specifier)) migrateDeclaration(file, declaration, passed);
  }
}

function renameLocal(file: SourceMigration, declaration: ExportDeclaration, { renamed }: FileNames): void {
  for (const specifier of declaration.getNamedExports()) {
    const found = file.importedNames.find(({ local }) => local === specifier.getName());
    const local = found && renamed.get(found.declaration);
    if (local === undefined || local === specifier.getName()) continue;
    const alias = specifier.getAliasNode()?.getText() ?? specifier.getName();
    file.edits.replace({ start: specifier.getStart(), end: specifier.getEnd() }, `${local} as ${alias}`);
  }
}

function migrateDeclaration(
  file: SourceMigration,
  declaration: ExportDeclaration,
  passed: ReadonlySet<string>,
): void {
  const specifiers = declaration.getNamedExports();
  if (specifiers.length === 0) return migrateStar(file, declaration, passed);
  const others = specifiers.filter((one) => formatSpecifier(one, declaration.isTypeOnly()) === undefined);
  const texts = specifiers.map((one) => formatSpecifier(one, declaration.isTypeOnly()));
  const isLeft = editSpecifiers(file, specifiers, { texts, added: [] });
  const lines = others.flatMap((one) => formatApart(file, declaration, one));
  if (isLeft) {
    replaceModule(file, declaration);
    file.edits.insert(declaration.getEnd(), lines.map((line) => `${file.lineEnd}${line}`).join(''));
  } else
    file.edits.replace(
      { start: declaration.getStart(), end: declaration.getEnd() },
      lines.join(file.lineEnd),
    );
}

/** Exports renamed names under the names that other files of the project import. */
function migrateStar(
  file: SourceMigration,
  declaration: ExportDeclaration,
  passed: ReadonlySet<string>,
): void {
  const style = readSourceStyle(file.text, true);
  const lines = [...passed].flatMap((theirs) => {
    const replacement = findReplacement(theirs);
    if (replacement.kind !== 'moved' || replacement.name === theirs) return [];
    const names = `${replacement.isType === true ? 'type ' : ''}${replacement.name} as ${theirs}`;
    return [formatImport(names, replacement.from ?? OURS, style).replace(/^import/, 'export')];
  });
  replaceModule(file, declaration);
  file.decide(declaration, 'reexport');
  file.edits.insert(declaration.getEnd(), lines.map((line) => `${file.lineEnd}${line}`).join(''));
}

function replaceModule(file: SourceMigration, declaration: ExportDeclaration): void {
  const literal = declaration.getModuleSpecifier();
  if (literal === undefined) return;
  file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
}

function formatSpecifier(specifier: ExportSpecifier, isInType: boolean): string | undefined {
  const replacement = findReplacement(specifier.getName());
  if (replacement.kind !== 'moved' || replacement.from !== undefined) return undefined;
  return formatNames(specifier, { name: replacement.name, isType: replacement.isType === true && !isInType });
}

function formatNames(
  specifier: ExportSpecifier,
  { name, isType }: { readonly name: string; readonly isType: boolean },
): string {
  const exported = (specifier.getAliasNode() ?? specifier.getNameNode()).getText();
  const mark = isType || specifier.isTypeOnly() ? 'type ' : '';
  return exported === name ? `${mark}${name}` : `${mark}${name} as ${exported}`;
}

/** Formats the re-export of a name from Nest, from the other package if it stays there, or as a comment if it has no replacement. */
function formatApart(
  file: SourceMigration,
  declaration: ExportDeclaration,
  specifier: ExportSpecifier,
): readonly string[] {
  const style = readSourceStyle(file.text, true);
  const replacement = findReplacement(specifier.getName());
  const toExport = (names: string, from: string) =>
    formatImport(names, from, style).replace(/^import/, 'export');
  if (replacement.kind === 'moved') {
    const names = formatNames(specifier, { name: replacement.name, isType: false });
    return [toExport(names, replacement.from ?? OURS)];
  }
  if (replacement.kind === 'declared') return [`export ${replacement.declaration};`];
  file.noteDecision(declaration.getStart() + specifier.getStart(), replacement.decision);
  const comment = file.formatDecision(replacement.decision);
  const line = toExport(specifier.getText(), declaration.getModuleSpecifierValue() ?? '');
  return [comment, replacement.kind === 'stays' ? line : `// ${line}`];
}
