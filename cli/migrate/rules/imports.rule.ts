import type { Node } from 'ts-morph';
import type { NameReplacement } from '../replacements/replacement.interface.js';
import { findReplacement, THEIR_PACKAGE } from '../replacements/exported-names.js';
import type { Migration } from '../migration.js';
import { removeMember } from '../source/objects.js';
import type { Reference } from '../source/references.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findLastImport } from './added-imports.js';
import { migrateExports } from './exports.js';
import type { FileNames } from './file-names.interface.js';
import { migrateImportDeclarations } from './import-declarations.js';
import { migrateRequired } from './required-modules.js';

/** Imports names from their new module, under their new names. It runs last, because other rules determine what is used. */
export function migrateImports(migration: Migration): void {
  const passed = findPassedNames(migration);
  for (const file of migration.files.filter(isConcerned)) {
    const names = nameReferences(file);
    migrateImportDeclarations(file, names);
    addDeclarations(file);
    migrateRequired(file, names);
    migrateExports(file, names, passed);
  }
}

function isConcerned({ edits, importedNames, text }: SourceMigration): boolean {
  return !edits.isEmpty || importedNames.length > 0 || text.includes(THEIR_PACKAGE);
}

/** Finds the names that files of the project import from other files of the project. */
function findPassedNames({ files }: Migration): ReadonlySet<string> {
  const passed = files.flatMap(({ importedNames }) => importedNames.filter(({ isDirect }) => !isDirect));
  return new Set(passed.map(({ theirs }) => theirs));
}

function nameReferences(file: SourceMigration): FileNames {
  const renamed = new Map<Node, string>();
  const left = new Set<Node>();
  for (const reference of file.references) {
    if (file.edits.covers({ start: reference.node.getStart(), end: reference.node.getEnd() })) continue;
    const replacement = reference.name === '*' ? undefined : findReplacement(reference.name);
    if (replacement === undefined) left.add(reference.importedName.declaration);
    else if (replacement.kind === 'moved') nameMoved(file, reference, { replacement, renamed });
    else if (replacement.kind !== 'declared') leave(file, reference, { replacement, left });
  }
  return { renamed, left };
}

interface Moved {
  readonly replacement: Extract<NameReplacement, { kind: 'moved' }>;
  readonly renamed: Map<Node, string>;
}

function nameMoved(
  file: SourceMigration,
  { node, nameNode, importedName }: Reference,
  { replacement, renamed }: Moved,
): void {
  const { name, from, isType } = replacement;
  if (importedName.theirs === '*') {
    if (from !== undefined) return replace(file, node, file.use(name, from));
    return name === nameNode.getText() ? undefined : replace(file, nameNode, name);
  }
  const isRequired = file.facts.morph.Node.isBindingElement(importedName.declaration);
  if (isRequired && from !== undefined) {
    removeMember(file, importedName.declaration);
    return replace(file, nameNode, file.use(name, from));
  }
  // A file of the project exports it under its former name, or the local name was chosen here.
  if (isRequired || !importedName.isDirect || importedName.local !== importedName.theirs) return;
  const local = renamed.get(importedName.declaration) ?? file.use(name, from, isType);
  renamed.set(importedName.declaration, local);
  if (local !== nameNode.getText()) rename(file, nameNode, local);
}

/** The key in `{ Tool }` does not change. */
function rename(file: SourceMigration, node: Node, name: string): void {
  const isKey = file.facts.morph.Node.isShorthandPropertyAssignment(node.getParent());
  replace(file, node, isKey ? `${node.getText()}: ${name}` : name);
}

function replace(file: SourceMigration, node: Node, text: string): void {
  file.edits.replace({ start: node.getStart(), end: node.getEnd() }, text);
}

interface Left {
  readonly replacement: Extract<NameReplacement, { kind: 'wiring' | 'none' | 'stays' }>;
  readonly left: Set<Node>;
}

/** A name that stays is reported once, at its import, unless the whole package is imported. */
function leave(file: SourceMigration, { node, importedName }: Reference, { replacement, left }: Left): void {
  const isOfWhole = importedName.theirs === '*';
  if (!isOfWhole) left.add(importedName.declaration);
  if (isOfWhole || replacement.kind !== 'stays') file.decide(node, replacement.decision);
}

/** Declares types that the other package exported and this package leaves to the application. */
function addDeclarations(file: SourceMigration): void {
  const last = findLastImport(file);
  if (last === undefined) return;
  for (const { theirs, local, isDirect, declaration } of file.importedNames) {
    const replacement = findReplacement(theirs);
    const isUsed = file.references.some(({ importedName }) => importedName.declaration === declaration);
    if (replacement.kind !== 'declared' || !isDirect || !isUsed) continue;
    const text = replacement.declaration.replace(theirs, local);
    file.edits.insert(last.getEnd(), `${file.lineEnd.repeat(2)}${text};`);
  }
}
