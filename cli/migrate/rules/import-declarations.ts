import type { ImportDeclaration, ImportSpecifier } from 'ts-morph';
import { findReplacement, OURS } from '../replacements/exported-names.js';
import { findUses } from '../source/references.js';
import type { SourceMigration, RequiredImport } from '../source/source-migration.js';
import { addImports, formatImportOf, formatWanted } from './added-imports.js';
import type { FileNames } from './file-names.interface.js';
import { editSpecifiers } from './specifiers.js';

const IMPORT = /^import\b[^'"]*['"][^'"]+['"];?/gm;

/** Returns an import's names, except for names that are no longer used. */
function dropUnused(file: SourceMigration, declaration: ImportDeclaration): readonly (string | undefined)[] {
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

/** A name that was unused before the migration stays. Moved code still counts as a use. */
function hasLostUse(file: SourceMigration, specifier: ImportSpecifier): boolean {
  const uses = findUses(specifier.getAliasNode() ?? specifier.getNameNode(), file.facts.morph);
  return uses.some((use) => file.edits.covers({ start: use.getStart(), end: use.getEnd() }));
}

/** Rewrites the imports of a file, and adds the imports that other rules need. */
export function migrateImportDeclarations(file: SourceMigration, names: FileNames): void {
  const all = file.file.getImportDeclarations();
  const theirs = all.filter((one) => file.facts.origins.isTheirs(one.getModuleSpecifierValue()));
  const taken = new Set<RequiredImport>();
  const lists = theirs.map((declaration) => readList(file, declaration, taken));
  for (const list of lists) migrateList(file, list, { names, taken });
  for (const one of all) if (!theirs.includes(one)) migrateBeside(file, one, taken);
  addImports(
    file,
    file.wanted.filter((wanted) => !taken.has(wanted)),
  );
}

/** An import of the other package, with the replacements of its names. */
interface ImportList {
  readonly declaration: ImportDeclaration;
  readonly specifiers: readonly ImportSpecifier[];
  /** The replacement of each specifier; `undefined` if it is removed. */
  readonly texts: readonly (string | undefined)[];
  /** The specifiers that stay. */
  readonly retained: readonly ImportSpecifier[];
}

function readList(
  file: SourceMigration,
  declaration: ImportDeclaration,
  taken: Set<RequiredImport>,
): ImportList {
  const specifiers = declaration.getNamedImports();
  const retained = specifiers.filter((one) => findReplacement(one.getName()).kind === 'stays');
  const texts = specifiers.map((specifier) => {
    const replacement = findReplacement(specifier.getName());
    if (replacement.kind !== 'moved' || replacement.from !== undefined) return undefined;
    return formatSpecifier(file, specifier, { ...replacement, taken, isInType: declaration.isTypeOnly() });
  });
  return { declaration, specifiers, texts, retained };
}

interface SpecifierFacts {
  readonly name: string;
  readonly isType?: boolean;
  readonly isInType: boolean;
  readonly taken: Set<RequiredImport>;
}

/** Formats the replacement of a name in the same list. Returns `undefined` if the file imports it already. */
function formatSpecifier(
  file: SourceMigration,
  specifier: ImportSpecifier,
  { name, isType = false, isInType, taken }: SpecifierFacts,
): string | undefined {
  const alias = specifier.getAliasNode()?.getText();
  const mark = (isType || specifier.isTypeOnly()) && !isInType ? 'type ' : '';
  if (alias !== undefined) return `${mark}${name} as ${alias}`;
  const wanted = file.wanted.find((one) => one.from === OURS && one.name === name);
  if (wanted === undefined) {
    // An import that was never used stays. If all of its uses were removed, so is the import.
    const isUsed = file.references.some((reference) => reference.importedName.declaration === specifier);
    return isUsed ? undefined : `${mark}${name}`;
  }
  if (taken.has(wanted)) return undefined;
  taken.add(wanted);
  return formatWanted({ ...wanted, isType: wanted.isType || specifier.isTypeOnly() }, isInType);
}

interface Context {
  readonly names: FileNames;
  /** Wanted imports that an existing declaration now contains. */
  readonly taken: Set<RequiredImport>;
}

function migrateList(file: SourceMigration, list: ImportList, { names, taken }: Context): void {
  const { declaration, specifiers, texts, retained } = list;
  if (specifiers.length === 0) return migrateWhole(file, declaration, names);
  if (retained.length === specifiers.length) return file.decide(declaration, 'authorizationServer');
  const isInType = declaration.isTypeOnly();
  const wanted = file.wanted.filter((one) => one.from === OURS && !taken.has(one));
  // A type-only import cannot contain values.
  const added = isInType ? wanted.filter(({ isType }) => isType) : wanted;
  const isLeft = editSpecifiers(file, specifiers, {
    texts,
    added: added.map((one) => formatWanted(one, isInType)),
  });
  for (const one of added) taken.add(one);
  const apart = retained.length > 0 ? formatKept(file, declaration, retained) : undefined;
  if (isLeft) {
    replaceModule(file, declaration);
    if (apart !== undefined) file.edits.insert(declaration.getEnd(), `${file.lineEnd}${apart}`);
  } else if (apart === undefined) removeDeclaration(file, declaration);
  else file.edits.replace({ start: declaration.getStart(), end: declaration.getEnd() }, apart);
}

/** The local name of `import * as mcp` does not change. */
function migrateWhole(file: SourceMigration, declaration: ImportDeclaration, { left }: FileNames): void {
  replaceModule(file, declaration);
  const importedName = file.importedNames.find(
    ({ theirs, declaration: node }) => theirs === '*' && node.getFirstAncestor((one) => one === declaration),
  );
  if (importedName !== undefined && left.has(importedName.declaration)) file.decide(declaration, 'reexport');
}

/** Names that stay are imported from the same package as before, with a separate statement. */
function formatKept(
  file: SourceMigration,
  declaration: ImportDeclaration,
  retained: readonly ImportSpecifier[],
): string {
  const names = retained.map((specifier) => specifier.getText());
  const statement = formatImportOf(file, names, declaration.getModuleSpecifierValue());
  const text = declaration.isTypeOnly() ? statement.replace('import', 'import type') : statement;
  file.noteDecision(declaration.getStart(), 'authorizationServer');
  return `${file.formatDecision('authorizationServer')}${file.lineEnd}${text}`;
}

function replaceModule(file: SourceMigration, declaration: ImportDeclaration): void {
  const literal = declaration.getModuleSpecifier();
  file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
}

function removeDeclaration(file: SourceMigration, declaration: ImportDeclaration): void {
  const lineEnd = /^[ \t]*\r?\n/.exec(file.text.slice(declaration.getEnd()))?.[0].length ?? 0;
  file.edits.remove({ start: declaration.getStart(), end: declaration.getEnd() + lineEnd });
}

/** Adds new names to other imports of the same modules, and removes names that are no longer used. */
function migrateBeside(
  file: SourceMigration,
  declaration: ImportDeclaration,
  taken: Set<RequiredImport>,
): void {
  const specifiers = declaration.getNamedImports();
  if (specifiers.length === 0) return;
  const from = declaration.getModuleSpecifierValue();
  const isOpen = (one: RequiredImport) => one.from === from && !taken.has(one) && !declaration.isTypeOnly();
  const wanted = file.wanted.filter(isOpen);
  const texts = dropUnused(file, declaration);
  if (wanted.length === 0 && texts.every((text) => text !== undefined)) return;
  const added = wanted.map((one) => formatWanted(one));
  if (!editSpecifiers(file, specifiers, { texts, added })) removeDeclaration(file, declaration);
  for (const one of wanted) taken.add(one);
}
