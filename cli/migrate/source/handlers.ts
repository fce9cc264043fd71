import type {
  CallExpression,
  Decorator,
  MethodDeclaration,
  ParameterDeclaration,
  SourceFile,
} from 'ts-morph';
import { isHandlerDecorator } from '../replacements/decorator-options.js';
import { listDecoratorCalls } from './composed-decorators.js';
import { findImportedNames, type ImportedName } from './imported-names.js';
import type { MigrationFacts, SourceMigration } from './source-migration.js';

/** Cached by file, because several rules need the handlers and none changes the parsed sources. */
const known = new WeakMap<SourceMigration, readonly MethodDeclaration[]>();

/**
 * Finds a file's handlers: methods with decorators of the other package, or with composed decorators that contain
 * them.
 */
export function findHandlers(file: SourceMigration): readonly MethodDeclaration[] {
  const found = known.get(file) ?? [...new Set([...findDirect(file), ...findComposed(file)])];
  known.set(file, found);
  return found;
}

function findDirect(file: SourceMigration): readonly MethodDeclaration[] {
  const { Node, SyntaxKind } = file.facts.morph;
  return file.references.flatMap(({ name, node }) => {
    if (!isHandlerDecorator(name)) return [];
    const method = node.getFirstAncestorByKind(SyntaxKind.Decorator)?.getParent();
    return Node.isMethodDeclaration(method) ? [method] : [];
  });
}

function findComposed({ file, facts }: SourceMigration): readonly MethodDeclaration[] {
  const methods = file.getDescendantsOfKind(facts.morph.SyntaxKind.MethodDeclaration);
  return methods.filter((method) =>
    method
      .getDecorators()
      .some((decorator) => listDecoratorCalls(decorator, facts.morph).some((call) => isTheirs(call, facts))),
  );
}

/** Checks whether a call in any file declares a handler. */
function isTheirs(call: CallExpression, { morph, origins }: MigrationFacts): boolean {
  const callee = call.getExpression().getText();
  return getImportedNames(call.getSourceFile(), { morph, origins }).some(({ theirs, local }) => {
    const [namespace, name] = callee.split('.', 2);
    return theirs === '*'
      ? namespace === local && isHandlerDecorator(name)
      : callee === local && isHandlerDecorator(theirs);
  });
}

/** Cached by file, because many methods need them. */
const importedNames = new WeakMap<SourceFile, readonly ImportedName[]>();

function getImportedNames(
  file: SourceFile,
  { morph, origins }: Pick<MigrationFacts, 'morph' | 'origins'>,
): readonly ImportedName[] {
  const found = importedNames.get(file) ?? findImportedNames(file, origins, morph);
  importedNames.set(file, found);
  return found;
}

/** Finds a decorator of a parameter by name, from any package. */
export function findDecorator(parameter: ParameterDeclaration, name: string): Decorator | undefined {
  return parameter.getDecorators().find((decorator) => decorator.getName() === name);
}
