import type { ObjectLiteralExpression } from 'ts-morph';
import { findProperty, getValue, removeMember, renameMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { spreadList } from './access.rule.js';

const NEST = '@nestjs/common';

/** Guards of the endpoint become a decorator of its controller. */
export function migrateGuards(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  hasRoutes: boolean,
): void {
  const { morph } = file.facts;
  const guards = findProperty(object, 'guards', morph);
  const list = getValue(guards, morph);
  if (guards === undefined || list === undefined) return;
  if (!hasRoutes) return file.commentOut(guards, 'ownController');
  if (morph.Node.isArrayLiteralExpression(list) && list.getElements().length === 0)
    return removeMember(file, guards);
  const decorator = file.use('UseGuards', NEST);
  const decorators = getValue(findProperty(object, 'decorators', morph), morph);
  if (morph.Node.isArrayLiteralExpression(decorators)) {
    const elements = decorators.getElements();
    const position = elements.at(-1)?.getEnd() ?? decorators.getStart() + 1;
    file.edits.insert(
      position,
      `${elements.length > 0 ? ', ' : ''}${decorator}(${formatArguments(list.getText())})`,
    );
    return removeMember(file, guards);
  }
  if (decorators !== undefined) return file.decide(guards, 'serverOptions');
  if (morph.Node.isShorthandPropertyAssignment(guards)) {
    const span = { start: guards.getStart(), end: guards.getEnd() };
    return file.edits.replace(span, `decorators: [${decorator}(...guards)]`);
  }
  renameMember(file, guards, 'decorators');
  file.edits.insert(list.getStart(), `[${decorator}(`);
  spreadList(file, list);
  file.edits.insert(list.getEnd(), ')]');
}

/** Writes the elements of a list as arguments. */
function formatArguments(list: string): string {
  return list.startsWith('[') ? list.slice(1, -1) : `...${list}`;
}
