import type { Node, ObjectLiteralElementLike, ObjectLiteralExpression, ParameterDeclaration } from 'ts-morph';
import { DECORATOR_OPTIONS, type HandlerDecorator } from '../counterparts/decorator-options.js';
import type { DecisionKey } from '../counterparts/decisions.js';
import {
  findMemberSpan,
  findProperty,
  getMemberName,
  getValue,
  removeMember,
  renameMember,
} from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { migrateContext } from './context.rule.js';

/** Who may call a handler, as definitions say it and this package does not; "all" is how scopes are asked for here. */
const ACCESS: Readonly<Record<string, DecisionKey>> = {
  requiredScopesMatch: 'anyRequiredScope',
  requiredRoles: 'roles',
  requiredRolesMatch: 'roles',
};

/** Rewrites the definition of a handler that is added: its options, with the handler behind them. */
export function migrateDefinition(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  kind: HandlerDecorator,
): void {
  const { morph } = file.facts;
  for (const member of object.getProperties()) {
    // What it brings may have members of other names, and its own handler.
    if (morph.Node.isSpreadAssignment(member)) file.decide(member, 'options');
    const name = getMemberName(member, morph);
    const row = DECORATOR_OPTIONS[kind].find(({ theirs }) => theirs === name);
    if (row?.ours !== undefined) renameMember(file, member, row.ours);
    const decision = name === undefined ? undefined : ACCESS[name];
    if (decision === undefined) continue;
    const isDefault = /^['"`]all['"`]$/.test(getValue(member, morph)?.getText() ?? '');
    // Others stay, so that nothing compiles or starts without what they ask for.
    if (isDefault) removeMember(file, member);
    else file.decide(member, decision);
  }
  const handler = findProperty(object, 'handler', morph);
  if (handler === undefined) return file.decide(object, 'dynamicHandler');
  file.edits.remove(findMemberSpan(file.text, handler));
  file.edits.insert(object.getEnd(), () => `, ${renderHandler(file, handler)}`);
  const [, context, request] = findParameters(file, handler);
  // One that has a type is migrated with the others.
  if (context !== undefined && context.getTypeNode() === undefined) migrateContext(file, context);
  if (request !== undefined) file.decide(object, 'dynamicHandler');
}

/** A method of the object becomes a function. */
function renderHandler(file: SourceMigration, handler: ObjectLiteralElementLike): string {
  const { Node: is } = file.facts.morph;
  const render = (node: Node) => file.edits.render({ start: node.getStart(), end: node.getEnd() });
  if (!is.isMethodDeclaration(handler)) {
    const value = getValue(handler, file.facts.morph);
    return value === undefined ? '' : render(value);
  }
  const parameters = handler.getParameters().map(render).join(', ');
  const body = handler.getBody();
  return `${handler.isAsync() ? 'async ' : ''}(${parameters}) => ${body === undefined ? '{}' : render(body)}`;
}

function findParameters(
  file: SourceMigration,
  handler: ObjectLiteralElementLike,
): readonly ParameterDeclaration[] {
  const { Node: is } = file.facts.morph;
  const value = is.isMethodDeclaration(handler) ? handler : getValue(handler, file.facts.morph);
  const isFunction =
    is.isArrowFunction(value) || is.isFunctionExpression(value) || is.isMethodDeclaration(value);
  return isFunction ? value.getParameters() : [];
}
