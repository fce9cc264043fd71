import type { CallExpression, Decorator, Node, SourceFile } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findHandlers } from '../source/handlers.js';

const ENHANCING = new Set(['UseGuards', 'UseInterceptors', 'UseFilters', 'UsePipes', 'ToolGuards']);

/** Finds the files that declare what decorators give to handlers and their classes. */
export function findEnhancerFiles(migration: Migration): ReadonlySet<SourceFile> {
  const { Node: is, SyntaxKind } = migration.facts.morph;
  const methods = migration.files.flatMap((file) => findHandlers(file));
  const decorated = new Set(methods.flatMap((method) => [method, method.getParent()]));
  const names = [...decorated]
    .flatMap((node) => (is.isDecoratable(node) ? node.getDecorators() : []))
    .flatMap((decorator) => findGiven(migration, decorator))
    .flatMap((argument) => [argument, ...argument.getDescendantsOfKind(SyntaxKind.Identifier)]);
  return new Set(names.flatMap((name) => findDeclarations(name)).map((node) => node.getSourceFile()));
}

/** Finds what a decorator gives, also one of the application that is composed of others. */
function findGiven({ facts }: Migration, decorator: Decorator): readonly Node[] {
  if (ENHANCING.has(decorator.getName())) return decorator.getArguments();
  const { SyntaxKind } = facts.morph;
  const isEnhancing = (call: CallExpression) => ENHANCING.has(call.getExpression().getText());
  return findDeclarations(decorator.getNameNode())
    .flatMap((declaration) => declaration.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter(isEnhancing)
    .flatMap((call) => call.getArguments());
}

function findDeclarations(name: Node): readonly Node[] {
  const symbol = name.getSymbol();
  return (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
}
