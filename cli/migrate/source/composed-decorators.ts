import type { CallExpression, Decorator, Node } from 'ts-morph';
import type { TsMorph } from './load-ts-morph.js';

/**
 * Lists the calls that make a decorator: its own, and those of the functions and lists of the application that compose it,
 * by however many steps.
 */
export function listDecoratorCalls(decorator: Decorator, morph: TsMorph): readonly CallExpression[] {
  const { SyntaxKind } = morph;
  const own = decorator.getCallExpression();
  const made = followConstants(decorator.getNameNode(), morph);
  const inner = made.flatMap((node) => node.getDescendantsOfKind(SyntaxKind.CallExpression));
  return [...(own === undefined ? [] : [own]), ...inner];
}

/** Finds the variables and functions of the project that a node names, and those that they name. Classes are not entered. */
export function followConstants(start: Node, { Node: is, SyntaxKind }: TsMorph): readonly Node[] {
  const found = new Set<Node>();
  const waiting = [start];
  for (const node of waiting) {
    const own = is.isIdentifier(node) ? [node] : [];
    const named = [...own, ...node.getDescendantsOfKind(SyntaxKind.Identifier)].flatMap(findDeclarations);
    for (const declaration of named) {
      const isFollowed = is.isVariableDeclaration(declaration) || is.isFunctionDeclaration(declaration);
      if (!isFollowed || found.has(declaration)) continue;
      found.add(declaration);
      waiting.push(declaration);
    }
  }
  return [...found];
}

/** Finds where a name is declared, also in another file. */
export function findDeclarations(name: Node): readonly Node[] {
  const symbol = name.getSymbol();
  return (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
}

/** Names what is called, without the namespace before it. */
export function getCalledName(call: CallExpression, { Node: is }: TsMorph): string {
  const callee = call.getExpression();
  return is.isPropertyAccessExpression(callee) ? callee.getName() : callee.getText();
}
