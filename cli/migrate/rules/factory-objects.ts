import type { Node, ObjectLiteralExpression } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findInitializer, findObject, findProperty, getValue } from '../source/objects.js';

/** Finds the options that `forRootAsync()` makes: those that its factory, or the method of its class, returns. */
export function findFactoryObjects(
  migration: Migration,
  object: ObjectLiteralExpression,
): readonly ObjectLiteralExpression[] {
  const { morph } = migration.facts;
  const { Node: is } = morph;
  const member = findProperty(object, 'useFactory', morph);
  const value = getValue(member, morph);
  const made = is.isMethodDeclaration(member) ? member : (findInitializer(value, morph) ?? value);
  if (made !== undefined) return findReturned(migration, made);
  const named = ['useClass', 'useExisting'].map((name) => getValue(findProperty(object, name, morph), morph));
  return named.flatMap((name) => {
    const symbol = name?.getSymbol();
    const target = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
    const method = is.isClassDeclaration(target) ? target.getMethod('createMcpOptions') : undefined;
    return method === undefined ? [] : findReturned(migration, method);
  });
}

/** Finds the objects that a function returns. */
function findReturned({ facts }: Migration, made: Node): readonly ObjectLiteralExpression[] {
  const { Node: is, SyntaxKind } = facts.morph;
  const body = is.isArrowFunction(made) ? made.getBody() : made;
  if (!is.isBlock(body) && is.isArrowFunction(made)) {
    const object = findObject(body, facts.morph);
    return object === undefined ? [] : [object];
  }
  return body.getDescendantsOfKind(SyntaxKind.ReturnStatement).flatMap((statement) => {
    const object = findObject(statement.getExpression(), facts.morph);
    return object === undefined ? [] : [object];
  });
}
