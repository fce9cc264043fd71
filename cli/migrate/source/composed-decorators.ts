import type { CallExpression, Decorator, Node } from 'ts-morph';
import type { TsMorph } from './load-ts-morph.js';

/**
 * Lists the calls that form a decorator: its own call, and the calls in the application's functions and lists that it is
 * composed of, directly or indirectly.
 */
export function listDecoratorCalls(decorator: Decorator, morph: TsMorph): readonly CallExpression[] {
  const { SyntaxKind } = morph;
  const own = decorator.getCallExpression();
  const made = followConstants(decorator.getNameNode(), morph);
  const inner = made.flatMap((node) => node.getDescendantsOfKind(SyntaxKind.CallExpression));
  return [...(own === undefined ? [] : [own]), ...inner];
}

/** Finds the variables and functions of the project that a node refers to, directly or indirectly. Classes are not searched. */
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

/** Finds the declarations of a name, including declarations in other files. */
export function findDeclarations(name: Node): readonly Node[] {
  const symbol = name.getSymbol();
  return (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
}

/** Returns the name of the called function, without its namespace. */
export function getCalledName(call: CallExpression, { Node: is }: TsMorph): string {
  const callee = call.getExpression();
  return is.isPropertyAccessExpression(callee) ? callee.getName() : callee.getText();
}
