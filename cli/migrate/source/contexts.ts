import type { Node, ParameterDeclaration, PropertyAccessExpression, VariableDeclaration } from 'ts-morph';
import { findDecorator, findHandlers } from './handlers.js';
import { findUses } from './references.js';
import type { SourceMigration } from './source-migration.js';

/** A variable or parameter that contains a call's context. */
export type ContextCarrier = ParameterDeclaration | VariableDeclaration;

/** Finds the variables of a file that contain contexts, from their type, their value, or their position in a handler. */
export function findContexts(file: SourceMigration): readonly ContextCarrier[] {
  const { Node: is } = file.facts.morph;
  const typed = findTypes(file).flatMap((node) => {
    const carrier = node
      .getAncestors()
      .find((one) => is.isParameterDeclaration(one) || is.isVariableDeclaration(one) || is.isBlock(one));
    const isCarrier = is.isParameterDeclaration(carrier) || is.isVariableDeclaration(carrier);
    return isCarrier && (isTypeOf(carrier, node) || isGiven(file, carrier, node)) ? [carrier] : [];
  });
  return [...new Set([...typed, ...findPlaced(file)])];
}

/** Finds properties that are read from a context without a variable, such as `getContext<McpContext>()`. */
export function findNamelessUses(file: SourceMigration): readonly PropertyAccessExpression[] {
  const { Node: is } = file.facts.morph;
  return findTypes(file).flatMap((node) => {
    const call = node.getAncestors().find((one) => is.isCallExpression(one));
    const access = call?.getParent();
    const isTyped = call?.getTypeArguments().some((type) => holds(type, node)) === true;
    return isTyped && is.isPropertyAccessExpression(access) && access.getExpression() === call
      ? [access]
      : [];
  });
}

function findTypes(file: SourceMigration): readonly Node[] {
  return file.references
    .filter(({ name }) => name === 'Context' || name === 'McpContext')
    .map(({ node }) => node);
}

function isTypeOf(carrier: ContextCarrier, node: Node): boolean {
  const type = carrier.getTypeNode();
  return type !== undefined && holds(type, node);
}

/** Checks for values such as `getContext<McpContext>()`. */
function isGiven(file: SourceMigration, carrier: ContextCarrier, node: Node): boolean {
  const given = carrier.getInitializer();
  const { Node: is } = file.facts.morph;
  if (is.isAsExpression(given)) return holds(given.getTypeNodeOrThrow(), node);
  return is.isCallExpression(given) && given.getTypeArguments().some((type) => holds(type, node));
}

function holds(outer: Node, inner: Node): boolean {
  return outer.containsRange(inner.getPos(), inner.getEnd());
}

/** The second parameter of a handler, or the one with `@Ctx()`. */
function findPlaced(file: SourceMigration): readonly ParameterDeclaration[] {
  return findHandlers(file).flatMap((method) => {
    const parameters = method.getParameters();
    const decorated = parameters.find((parameter) => findDecorator(parameter, 'Ctx') !== undefined);
    const isDecorated = parameters.some((parameter) => parameter.getDecorators().length > 0);
    const context = decorated ?? (isDecorated ? undefined : parameters[1]);
    return context === undefined ? [] : [context];
  });
}

/** Finds where a context is used. */
export function findContextUses(file: SourceMigration, carrier: ContextCarrier): readonly Node[] {
  const name: Node = carrier.getNameNode();
  return file.facts.morph.Node.isIdentifier(name) ? findUses(name, file.facts.morph) : [];
}
