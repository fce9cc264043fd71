import type { CallExpression, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { migrateDefinition } from './dynamic-definition.js';

/** The methods that add and remove handlers at run time, with the catalog's area and method. */
const METHODS: Readonly<Record<string, { readonly area: string; readonly method: 'add' | 'remove' }>> = {
  registerTool: { area: 'tools', method: 'add' },
  registerResource: { area: 'resources', method: 'add' },
  registerPrompt: { area: 'prompts', method: 'add' },
  removeTool: { area: 'tools', method: 'remove' },
  removeResource: { area: 'resources', method: 'remove' },
  removePrompt: { area: 'prompts', method: 'remove' },
};

/** Replaces a registry, or an injected strategy, with the catalog. */
export function migrateCatalogs(migration: Migration): void {
  for (const file of migration.files) {
    const carriers = findCarriers(file);
    const calls = file.file.getDescendantsOfKind(file.facts.morph.SyntaxKind.CallExpression);
    for (const call of calls) migrateCall(migration, call, carriers);
    for (const { name, node } of file.references) {
      if (name === 'MCP_STRATEGY') replaceToken(file, node);
      else if (name === 'McpStrategy' && isInjected(file, node)) replace(file, node, file.use('McpCatalog'));
    }
  }
}

/** Finds the variables that contain a registry or a strategy, from their type or their injection token. */
function findCarriers(file: SourceMigration): readonly Node[] {
  const { Node: is } = file.facts.morph;
  return file.references.flatMap(({ name, node }) => {
    if (!['McpRegistryService', 'McpStrategy', 'MCP_STRATEGY'].includes(name)) return [];
    const carrier = node
      .getAncestors()
      .find(
        (one) =>
          is.isParameterDeclaration(one) || is.isPropertyDeclaration(one) || is.isVariableDeclaration(one),
      );
    // A variable of that type contains the strategy itself, and becomes a module.
    const isStrategy = name === 'McpStrategy' && is.isVariableDeclaration(carrier);
    return carrier === undefined || isStrategy || is.isNewExpression(node.getParent()) ? [] : [carrier];
  });
}

/** Checks for the type of a parameter or a property, not of a variable that contains a strategy. */
function isInjected({ facts }: SourceMigration, node: Node): boolean {
  const { Node: is } = facts.morph;
  const carrier = node.getParent()?.getParent();
  return (
    is.isTypeReference(node.getParent()) &&
    (is.isParameterDeclaration(carrier) || is.isPropertyDeclaration(carrier))
  );
}

function migrateCall(migration: Migration, call: CallExpression, carriers: readonly Node[]): void {
  const file = migration.fileOf(call);
  const { morph } = file.facts;
  const access = call.getExpression();
  if (!morph.Node.isPropertyAccessExpression(access)) return;
  const found = Object.hasOwn(METHODS, access.getName()) ? METHODS[access.getName()] : undefined;
  const declarations = access.getExpression().getSymbol()?.getDeclarations() ?? [];
  if (found === undefined || !declarations.some((declaration) => carriers.includes(declaration))) return;
  replace(file, access.getNameNode(), `${found.area}.${found.method}`);
  if (found.method === 'remove') return;
  const definition = findObject(call.getArguments()[0], morph);
  const isInPlace = definition !== undefined && definition === call.getArguments()[0];
  if (isInPlace) migrateDefinition(migration, definition, found.area === 'prompts' ? 'Prompt' : 'Tool');
  else file.decide(call, 'dynamicHandler');
}

/** `@Inject(MCP_STRATEGY)` is not needed for a class; elsewhere the class is the token. */
function replaceToken(file: SourceMigration, token: Node): void {
  const { Node: is, SyntaxKind } = file.facts.morph;
  const decorator = token.getFirstAncestorByKind(SyntaxKind.Decorator);
  if (decorator?.getName() === 'Inject') {
    const space = /^\s*/.exec(file.text.slice(decorator.getEnd()))?.[0].length ?? 0;
    return file.edits.remove({ start: decorator.getStart(), end: decorator.getEnd() + space });
  }
  if (is.isPropertyAssignment(token.getParent())) return;
  if (isExported(file, token)) return removeMember(file, token);
  replace(file, token, file.use('McpCatalog'));
}

/** A server's module provides its catalog to all other modules. */
function isExported({ facts }: SourceMigration, token: Node): boolean {
  const member = token.getParent()?.getParent();
  return facts.morph.Node.isPropertyAssignment(member) && member.getName() === 'exports';
}

function replace(file: SourceMigration, node: Node, text: string): void {
  file.edits.replace({ start: node.getStart(), end: node.getEnd() }, text);
}
