import type {
  Identifier,
  NewExpression,
  Node,
  ShorthandPropertyAssignment,
  VariableDeclaration,
} from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';

/** A release 2 server: a Nest microservices strategy. */
export interface Strategy {
  readonly file: SourceMigration;
  readonly created: NewExpression;
  /** The constant that contains it; absent if it is created where it is used. */
  readonly variable: VariableDeclaration | undefined;
  /** Where the constant is used, in all files. */
  readonly uses: readonly Identifier[];
}

/** Finds the strategies of a project, and where they are used. */
export function findStrategies(migration: Migration): readonly Strategy[] {
  return migration.files.flatMap((file) => {
    const { Node: is } = file.facts.morph;
    return file.references.flatMap(({ name, node }) => {
      const created = node.getParent();
      if (name !== 'McpStrategy' || !is.isNewExpression(created)) return [];
      const parent = created.getParent();
      const variable = is.isVariableDeclaration(parent) ? parent : undefined;
      const uses = variable === undefined ? [] : findVariableUses(migration, variable);
      return [{ file, created, variable, uses }];
    });
  });
}

/** Finds where a constant is used, in the file that declares it and in files that import it. */
export function findVariableUses(
  { files, facts }: Migration,
  variable: VariableDeclaration,
): readonly Identifier[] {
  const { Node: is, SyntaxKind } = facts.morph;
  const name = variable.getName();
  return files.flatMap((file) => {
    const isOwn = file.file === variable.getSourceFile();
    const locals = new Set(isOwn ? [name] : findImportedAs(file, name));
    if (locals.size === 0) return [];
    return file.file
      .getDescendantsOfKind(SyntaxKind.Identifier)
      .filter((one) => locals.has(one.getText()) && one !== variable.getNameNode())
      .filter((one) => !is.isImportSpecifier(one.getParent()) && isOf(one, variable));
  });
}

function findImportedAs({ file }: SourceMigration, name: string): readonly string[] {
  return file
    .getImportDeclarations()
    .flatMap((declaration) => declaration.getNamedImports())
    .filter((specifier) => specifier.getName() === name)
    .map((specifier) => (specifier.getAliasNode() ?? specifier.getNameNode()).getText());
}

function isOf(identifier: Identifier, variable: Node): boolean {
  const parent = identifier.getParent();
  // `{ strategy }` refers to both a property and the constant.
  const isShort = parent.getKindName() === 'ShorthandPropertyAssignment';
  const symbol = isShort ? (parent as ShorthandPropertyAssignment).getValueSymbol() : identifier.getSymbol();
  const target = symbol?.getAliasedSymbol() ?? symbol;
  return target?.getDeclarations().includes(variable) === true;
}
