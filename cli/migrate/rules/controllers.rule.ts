import type { ClassDeclaration, Decorator } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findMemberSpan, findObject, findProperty, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { addImport } from './import-server.js';

/** Turns release 2 controllers into Nest controllers, and assigns them to the server that they name. */
export function migrateControllers(migration: Migration): void {
  for (const file of migration.files) {
    const { Node: is, SyntaxKind } = file.facts.morph;
    for (const { name, node } of file.references) {
      const decorator = node.getFirstAncestorByKind(SyntaxKind.Decorator);
      const declaration = decorator?.getParent();
      if (
        name === 'McpHttpControllerFor' &&
        !file.edits.covers({ start: node.getStart(), end: node.getEnd() })
      )
        file.decide(node, 'ownController');
      if (name !== 'McpController' || decorator === undefined || !is.isClassDeclaration(declaration))
        continue;
      assignServer(migration, file, { decorator, declaration });
    }
  }
}

interface Controller {
  readonly decorator: Decorator;
  readonly declaration: ClassDeclaration;
}

/** Assigns a controller to its server in the modules that list the controller. */
function assignServer(
  migration: Migration,
  file: SourceMigration,
  { decorator, declaration }: Controller,
): void {
  const { morph } = file.facts;
  const object = findObject(decorator.getArguments()[0], morph);
  const member = object && findProperty(object, 'server', morph);
  const server = getValue(member, morph);
  if (object === undefined || member === undefined || server === undefined) return;
  const isOnly = object.getProperties().length === 1;
  file.edits.remove(
    isOnly ? { start: object.getStart(), end: object.getEnd() } : findMemberSpan(file.text, member),
  );
  const modules = findModules(migration, declaration);
  if (modules.length === 0) file.decide(decorator, 'severalServers');
  for (const { module, metadata, local } of modules) {
    const feature = `${module.use('McpModule')}.forFeature({ server: ${server.getText()}, providers: [${local}] })`;
    addImport(migration, metadata, feature);
  }
}

/** Finds the modules that list a class among their controllers. */
function findModules(migration: Migration, declaration: ClassDeclaration) {
  const { morph } = migration.facts;
  const { Node: is, SyntaxKind } = morph;
  return migration.files.flatMap((module) =>
    module.file.getDescendantsOfKind(SyntaxKind.Identifier).flatMap((identifier) => {
      const list = identifier.getParent();
      const member = list?.getParent();
      if (identifier.getText() !== declaration.getName() || !is.isArrayLiteralExpression(list)) return [];
      if (!is.isPropertyAssignment(member) || member.getName() !== 'controllers') return [];
      const metadata = member.getParent();
      return is.isObjectLiteralExpression(metadata)
        ? [{ module, metadata, local: identifier.getText() }]
        : [];
    }),
  );
}
