import type { Decorator, MethodDeclaration, ParameterDeclaration } from 'ts-morph';
import { isHandlerDecorator } from '../counterparts/decorator-options.js';
import type { SourceMigration } from './source-migration.js';

/** Finds the methods of a file that decorators of the other package make handlers. */
export function findHandlers(file: SourceMigration): readonly MethodDeclaration[] {
  const { Node, SyntaxKind } = file.facts.morph;
  const handlers = new Set<MethodDeclaration>();
  for (const { name, node } of file.references) {
    if (!isHandlerDecorator(name)) continue;
    const method = node.getFirstAncestorByKind(SyntaxKind.Decorator)?.getParent();
    if (Node.isMethodDeclaration(method)) handlers.add(method);
  }
  return [...handlers];
}

/** Finds a decorator of a parameter by what it is called, from whichever package. */
export function findDecorator(parameter: ParameterDeclaration, name: string): Decorator | undefined {
  return parameter.getDecorators().find((decorator) => decorator.getName() === name);
}
