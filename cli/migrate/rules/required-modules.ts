import { findReplacement, OURS } from '../replacements/exported-names.js';
import { getRequired } from '../source/imported-names.js';
import type { SourceMigration } from '../source/source-migration.js';
import type { FileNames } from './file-names.interface.js';

/** Rewrites what a file loads with `require()`, `import()` and `import x = require()`. */
export function migrateRequired(file: SourceMigration, { left }: FileNames): void {
  const { Node: is, SyntaxKind } = file.facts.morph;
  const { origins } = file.facts;
  for (const call of file.file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    if (!origins.isTheirs(getRequired(call, SyntaxKind))) continue;
    const [literal] = call.getArguments();
    if (literal === undefined) continue;
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
  }
  for (const equals of file.file.getDescendantsOfKind(SyntaxKind.ImportEqualsDeclaration)) {
    const [literal] = equals.getModuleReference().getDescendantsOfKind(SyntaxKind.StringLiteral);
    if (literal === undefined || !origins.isTheirs(literal.getLiteralValue())) continue;
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
  }
  renameImportTypes(file);
  markMocks(file);
  for (const { theirs, declaration } of file.importedNames) {
    if (!is.isBindingElement(declaration)) continue;
    const replacement = findReplacement(theirs);
    if (replacement.kind === 'moved' && replacement.from === undefined)
      renameElement(file, declaration, replacement.name);
    else if (left.has(declaration)) {
      const isNamed = replacement.kind === 'moved' || replacement.kind === 'declared';
      file.decide(declaration, isNamed ? 'reexport' : replacement.decision);
    }
  }
}

/** The local name stays, because it may match another file's export. */
function renameElement(
  file: SourceMigration,
  declaration: { getStart(): number; getEnd(): number; getText(): string },
  name: string,
): void {
  const [theirs = '', local = theirs] = declaration.getText().split(/\s*:\s*/);
  if (theirs === name) return;
  const text = `${name}: ${local}`;
  file.edits.replace({ start: declaration.getStart(), end: declaration.getEnd() }, text);
}

/** Renames types such as `import('…').Context`. */
function renameImportTypes(file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  for (const type of file.file.getDescendantsOfKind(SyntaxKind.ImportType)) {
    const literal = type.getArgument().getFirstDescendantByKind(SyntaxKind.StringLiteral);
    if (literal === undefined || !file.facts.origins.isTheirs(literal.getLiteralValue())) continue;
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
    const name = type.getQualifier();
    const replacement = name && findReplacement(name.getText());
    if (name === undefined || replacement?.kind !== 'moved') file.decide(type, 'reexport');
    else file.edits.replace({ start: name.getStart(), end: name.getEnd() }, replacement.name);
  }
}

/** Marks mocks of the module, which contain its former names. */
function markMocks(file: SourceMigration): void {
  const { SyntaxKind } = file.facts.morph;
  for (const call of file.file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    const literal = call.getArguments()[0]?.asKind(SyntaxKind.StringLiteral);
    const isMock = /^(?:jest|vi)\.\w*[mM]ock\w*$/.test(call.getExpression().getText());
    if (!isMock || literal === undefined || !file.facts.origins.isTheirs(literal.getLiteralValue())) continue;
    file.edits.replace({ start: literal.getStart() + 1, end: literal.getEnd() - 1 }, OURS);
    file.decide(call, 'reexport');
  }
}
