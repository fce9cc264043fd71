import type { CallExpression, ImportSpecifier, Node, SourceFile, VariableDeclaration } from 'ts-morph';
import { THEIR_PACKAGE } from '../replacements/exported-names.js';
import type { TsMorph } from './load-ts-morph.js';
import type { Origins } from './origins.js';

/** A name of the other package that a file imports. */
export interface ImportedName {
  /** Its name there; `*` if the whole package is imported. */
  readonly theirs: string;
  /** Its name in the file. */
  readonly local: string;
  /** The declaration of the local name. */
  readonly declaration: Node;
  /** Whether it is imported from the package itself rather than from a file of the project. */
  readonly isDirect: boolean;
}

/** Finds the names of the other package that a file imports, with either module system. */
export function findImportedNames(
  file: SourceFile,
  origins: Origins,
  morph: TsMorph,
): readonly ImportedName[] {
  return [...findImported(file, origins), ...findRequired(file, origins, morph)];
}

function findImported(file: SourceFile, origins: Origins): readonly ImportedName[] {
  const importedNames: ImportedName[] = [];
  for (const declaration of file.getImportDeclarations()) {
    const specifier = declaration.getModuleSpecifierValue();
    const isDirect = origins.isTheirs(specifier);
    for (const named of declaration.getNamedImports()) {
      const theirs = origins.find(file, specifier, named.getName());
      if (theirs !== undefined)
        importedNames.push({ theirs, local: getLocalName(named), declaration: named, isDirect });
    }
    const whole = isDirect ? (declaration.getNamespaceImport() ?? declaration.getDefaultImport()) : undefined;
    if (whole !== undefined) {
      const clause = declaration.getNamespaceImport()?.getParent() ?? declaration.getImportClause();
      importedNames.push({ theirs: '*', local: whole.getText(), declaration: clause ?? whole, isDirect });
    }
  }
  return importedNames;
}

/** Returns the local name of an import. */
export function getLocalName(specifier: ImportSpecifier): string {
  return (specifier.getAliasNode() ?? specifier.getNameNode()).getText();
}

function findRequired(
  file: SourceFile,
  origins: Origins,
  { Node, SyntaxKind }: TsMorph,
): readonly ImportedName[] {
  const importedNames: ImportedName[] = [];
  if (!file.getFullText().includes(THEIR_PACKAGE)) return importedNames;
  for (const equals of file.getDescendantsOfKind(SyntaxKind.ImportEqualsDeclaration)) {
    const name = /^require\(\s*['"]([^'"]+)['"]/.exec(equals.getModuleReference().getText())?.[1];
    if (origins.isTheirs(name))
      importedNames.push({ theirs: '*', local: equals.getName(), declaration: equals, isDirect: true });
  }
  for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    const specifier = getRequired(call, SyntaxKind);
    if (specifier === undefined || !origins.isTheirs(specifier)) continue;
    const declaration = call.getFirstAncestorByKind(SyntaxKind.VariableDeclaration);
    if (declaration === undefined || !isWhole(declaration, call)) continue;
    const pattern = declaration.getNameNode();
    if (Node.isObjectBindingPattern(pattern)) {
      for (const element of pattern.getElements()) {
        const theirs = element.getPropertyNameNode()?.getText() ?? element.getName();
        importedNames.push({ theirs, local: element.getName(), declaration: element, isDirect: true });
      }
    } else importedNames.push({ theirs: '*', local: pattern.getText(), declaration, isDirect: true });
  }
  return importedNames;
}

/** Returns the module that `require()` or `import()` loads. */
export function getRequired(call: CallExpression, kinds: TsMorph['SyntaxKind']): string | undefined {
  const callee = call.getExpression();
  const isLoading = callee.getText() === 'require' || callee.getKind() === kinds.ImportKeyword;
  const [argument] = call.getArguments();
  const literal = isLoading ? argument?.asKind(kinds.StringLiteral) : undefined;
  return literal?.getLiteralValue();
}

/** Checks whether the variable contains the module itself rather than a part of it. */
function isWhole(declaration: VariableDeclaration, call: CallExpression): boolean {
  const text = declaration
    .getInitializer()
    ?.getText()
    .replace(/^await\s+/, '');
  return text === call.getText();
}
