import type { CallExpression, ObjectLiteralExpression } from 'ts-morph';
import {
  DECORATOR_OPTIONS,
  isHandlerDecorator,
  type HandlerDecorator,
} from '../replacements/decorator-options.js';
import type { Migration } from '../migration.js';
import { findObject, findProperty, getMemberName, getValue, renameMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Renames handler decorator options, and rewrites URI templates in RFC 6570 syntax. */
export function migrateDecoratorOptions(migration: Migration): void {
  const done = new Set<ObjectLiteralExpression>();
  for (const file of migration.files) {
    for (const { name, node } of file.references) {
      const call = node.getParent();
      if (!isHandlerDecorator(name) || !file.facts.morph.Node.isCallExpression(call)) continue;
      if (call.getExpression() === node) migrateCall({ migration, file, call, name, done });
    }
  }
}

interface DecoratorCall {
  readonly migration: Migration;
  readonly file: SourceMigration;
  readonly call: CallExpression;
  readonly name: HandlerDecorator;
  /** Objects that several decorators share are renamed once. */
  readonly done: Set<ObjectLiteralExpression>;
}

function migrateCall({ migration, file, call, name, done }: DecoratorCall): void {
  const { morph } = file.facts;
  const [argument] = call.getArguments();
  if (argument === undefined) return;
  const object = findObject(argument, morph);
  if (object === undefined) return file.decide(call, 'options');
  if (done.has(object)) return;
  done.add(object);
  const own = migration.fileOf(object);
  const renamed = DECORATOR_OPTIONS[name];
  for (const member of object.getProperties()) {
    const row = renamed.find(({ theirs }) => theirs === getMemberName(member, morph));
    if (row?.ours !== undefined) renameMember(own, member, row.ours);
    const isOpen = morph.Node.isSpreadAssignment(member) && renamed.length > 0;
    if (isOpen) own.decide(member, 'options');
  }
  if (name === 'ResourceTemplate') migrateTemplate(own, object);
}

/** A variable with several segments is `{+path}` in RFC 6570. */
function migrateTemplate(file: SourceMigration, object: ObjectLiteralExpression): void {
  const { morph } = file.facts;
  const template = getValue(findProperty(object, 'uriTemplate', morph), morph);
  if (!morph.Node.isStringLiteral(template) && !morph.Node.isNoSubstitutionTemplateLiteral(template)) return;
  const text = template.getText();
  const written = text.replace(/\{(\w+)\*\}/g, '{+$1}').replace(/\/:(\w+)/g, '/{$1}');
  if (written !== text) file.edits.replace({ start: template.getStart(), end: template.getEnd() }, written);
}
