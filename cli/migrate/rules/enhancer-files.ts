import type { Decorator, Node, SourceFile } from 'ts-morph';
import type { Migration } from '../migration.js';
import {
  findDeclarations,
  followConstants,
  getCalledName,
  listDecoratorCalls,
} from '../source/composed-decorators.js';
import { findHandlers } from '../source/handlers.js';

const ENHANCING = new Set(['UseGuards', 'UseInterceptors', 'UseFilters', 'UsePipes', 'ToolGuards']);

/** Finds the files that declare the guards and other enhancers on handlers and their classes. */
export function findEnhancerFiles(migration: Migration): ReadonlySet<SourceFile> {
  const { Node: is } = migration.facts.morph;
  const methods = migration.files.flatMap((file) => findHandlers(file));
  const decorated = new Set(methods.flatMap((method) => [method, method.getParent()]));
  const given = [...decorated]
    .flatMap((node) => (is.isDecoratable(node) ? node.getDecorators() : []))
    .flatMap((decorator) => findGiven(migration, decorator));
  return new Set(findClasses(migration, given).map((node) => node.getSourceFile()));
}

/** Finds the enhancers that a decorator applies. A composed decorator of the application may receive them as arguments. */
function findGiven({ facts: { morph } }: Migration, decorator: Decorator): readonly Node[] {
  const calls = listDecoratorCalls(decorator, morph);
  const isEnhancing = calls.some((call) => ENHANCING.has(getCalledName(call, morph)));
  return isEnhancing ? calls.flatMap((call) => call.getArguments()) : [];
}

/** Finds the declarations of named enhancers, including enhancers in named lists, and their base classes. */
function findClasses({ facts: { morph } }: Migration, given: readonly Node[]): readonly Node[] {
  const { Node: is, SyntaxKind } = morph;
  const found = new Set<Node>();
  const waiting = given.flatMap((node) => [node, ...followConstants(node, morph)]);
  for (const node of waiting) {
    const own = is.isIdentifier(node) ? [node] : [];
    const names = [...own, ...node.getDescendantsOfKind(SyntaxKind.Identifier)];
    for (const declaration of names.flatMap(findDeclarations)) {
      if (found.has(declaration)) continue;
      found.add(declaration);
      const base = is.isClassDeclaration(declaration) ? declaration.getExtends() : undefined;
      if (base !== undefined) waiting.push(base);
    }
  }
  return [...found];
}
