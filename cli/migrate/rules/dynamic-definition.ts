import type { Node, ObjectLiteralElementLike, ObjectLiteralExpression, ParameterDeclaration } from 'ts-morph';
import { DECORATOR_OPTIONS, type HandlerDecorator } from '../replacements/decorator-options.js';
import type { DecisionKey } from '../replacements/decisions.js';
import { migrateRequirements } from '../access/tool-access.js';
import type { Migration } from '../migration.js';
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

/** The access requirements of definitions that this package lacks; it always requires all scopes. */
const ACCESS: Readonly<Record<string, DecisionKey>> = {
  requiredScopesMatch: 'anyRequiredScope',
  requiredRoles: 'roles',
  requiredRolesMatch: 'roles',
};

/** Rewrites the definition of a handler that is added at run time: the handler becomes an argument after the options. */
export function migrateDefinition(
  migration: Migration,
  object: ObjectLiteralExpression,
  kind: HandlerDecorator,
): void {
  const file = migration.fileOf(object);
  const hasAccess = migrateRequirements(migration, object);
  const { morph } = file.facts;
  for (const member of object.getProperties()) {
    // The spread object may contain properties with other names, and a handler.
    if (morph.Node.isSpreadAssignment(member)) file.decide(member, 'options');
    const name = getMemberName(member, morph);
    const row = DECORATOR_OPTIONS[kind].find(({ theirs }) => theirs === name);
    if (row?.ours !== undefined) renameMember(file, member, row.ours);
    const decision = name === undefined ? undefined : ACCESS[name];
    if (decision === undefined || hasAccess) continue;
    const isDefault = /^['"`]all['"`]$/.test(getValue(member, morph)?.getText() ?? '');
    // Others stay, so that the code does not compile or start without these requirements.
    if (isDefault) removeMember(file, member);
    else file.decide(member, decision);
  }
  const handler = findProperty(object, 'handler', morph);
  if (handler === undefined) return file.decide(object, 'dynamicHandler');
  file.edits.remove(findMemberSpan(file.text, handler));
  file.edits.insert(object.getEnd(), () => `, ${renderHandler(file, handler)}`);
  const [input, context, request] = findParameters(file, handler);
  if (input !== undefined && input.getTypeNode() === undefined) declareArguments(file, input);
  // A context with a type is migrated with the others.
  if (context !== undefined && context.getTypeNode() === undefined) migrateContext(file, context);
  if (context !== undefined && request !== undefined && !declareRequest(file, context, request))
    file.decide(object, 'dynamicHandler');
}

/** Declares the argument type, which the type of the definition provided before. */
function declareArguments(file: SourceMigration, input: ParameterDeclaration): void {
  if (!/\.[cm]?tsx?$/.test(file.path)) return;
  const handler = input.getParent();
  const isBare = !handler
    .getText()
    .replace(/^async\s+/, '')
    .startsWith('(');
  const type = ': Record<string, any>';
  const isMethod = file.facts.morph.Node.isMethodDeclaration(handler);
  if (isBare && !isMethod) file.edits.insert(input.getStart(), '(');
  file.edits.insert(input.getNameNode().getEnd(), isBare && !isMethod ? `${type})` : type);
}

/** Replaces the request parameter with a constant in the handler, read from the context. */
function declareRequest(
  file: SourceMigration,
  context: ParameterDeclaration,
  request: ParameterDeclaration,
): boolean {
  const { Node: is } = file.facts.morph;
  const handler = request.getParent();
  const body = is.isBodyable(handler) || is.isArrowFunction(handler) ? handler.getBody() : undefined;
  if (body === undefined || !is.isIdentifier(context.getNameNode())) return false;
  const type = /\.[cm]?tsx?$/.test(file.path) ? ' as any' : '';
  const declared = `const ${request.getNameNode().getText()} = ${context.getName()}.http?.request${type};`;
  file.edits.remove({ start: context.getEnd(), end: request.getEnd() });
  const [first] = is.isBlock(body) ? body.getStatements() : [];
  if (is.isBlock(body)) {
    const line = file.text.lastIndexOf('\n', first?.getStart() ?? 0) + 1;
    const indent = first === undefined ? '' : file.text.slice(line, first.getStart());
    const isApart = first !== undefined && line > body.getStart() && indent.trim() === '';
    file.edits.insert(body.getStart() + 1, isApart ? `${file.lineEnd}${indent}${declared}` : ` ${declared}`);
  } else {
    file.edits.insert(body.getStart(), `{ ${declared} return `);
    file.edits.insert(body.getEnd(), '; }');
  }
  return true;
}

/** Renders a handler as a function, even if it is a method of the object. */
function renderHandler(file: SourceMigration, handler: ObjectLiteralElementLike): string {
  const { Node: is } = file.facts.morph;
  const render = (node: Node) => file.edits.render({ start: node.getStart(), end: node.getEnd() });
  if (!is.isMethodDeclaration(handler)) {
    const value = getValue(handler, file.facts.morph);
    return value === undefined ? '' : render(value);
  }
  const all = handler.getParameters();
  const [first, last = first] = [all[0], all.at(-1)];
  const parameters =
    first === undefined || last === undefined
      ? ''
      : file.edits.render({ start: first.getStart(), end: last.getEnd() });
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
