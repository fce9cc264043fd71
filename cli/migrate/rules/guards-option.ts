import type {
  ArrayLiteralExpression,
  Node,
  ObjectLiteralElementLike,
  ObjectLiteralExpression,
} from 'ts-morph';
import { findProperty, getValue, removeMember, renameMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { spreadList } from './access.rule.js';

const NEST = '@nestjs/common';

/** Endpoint guards become a decorator on its controller. */
export function migrateGuards(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  hasRoutes: boolean,
): void {
  const { morph } = file.facts;
  const guards = findProperty(object, 'guards', morph);
  if (guards === undefined) return;
  const list = getValue(guards, morph);
  if (!hasRoutes) return file.commentOut(guards, 'ownController');
  if (list === undefined) return file.decide(guards, 'guards');
  if (isNothing(list, file)) return removeMember(file, guards);
  const others = findProperty(object, 'decorators', morph);
  if (others === undefined) return become(file, guards, list);
  const decorators = getValue(others, morph);
  if (decorators === undefined) return file.decide(guards, 'guards');
  const decorator = `${file.use('UseGuards', NEST)}(${formatArguments(list)})`;
  if (morph.Node.isArrayLiteralExpression(decorators)) addElement(file, decorators, decorator);
  else if (morph.Node.isShorthandPropertyAssignment(others))
    file.edits.insert(others.getEnd(), `: [...${decorators.getText()}, ${decorator}]`);
  else {
    const isWhole = morph.Node.isLeftHandSideExpression(decorators);
    file.edits.insert(decorators.getStart(), isWhole ? '[...' : '[...(');
    file.edits.insert(decorators.getEnd(), `${isWhole ? '' : ')'}, ${decorator}]`);
  }
  removeMember(file, guards);
}

function isNothing(list: Node, { facts }: SourceMigration): boolean {
  const isEmpty = facts.morph.Node.isArrayLiteralExpression(list) && list.getElements().length === 0;
  return isEmpty || list.getText() === 'undefined';
}

/** Rewrites the property in place, so that comments above it still apply. */
function become(file: SourceMigration, guards: ObjectLiteralElementLike, list: Node): void {
  const decorator = file.use('UseGuards', NEST);
  if (file.facts.morph.Node.isShorthandPropertyAssignment(guards)) {
    const span = { start: guards.getStart(), end: guards.getEnd() };
    return file.edits.replace(span, `decorators: [${decorator}(${formatArguments(list)})]`);
  }
  renameMember(file, guards, 'decorators');
  file.edits.insert(list.getStart(), `[${decorator}(`);
  spreadList(file, list);
  file.edits.insert(list.getEnd(), ')]');
}

function addElement(file: SourceMigration, list: ArrayLiteralExpression, text: string): void {
  const last = list.getElements().at(-1);
  file.edits.insert(last?.getEnd() ?? list.getStart() + 1, last === undefined ? text : `, ${text}`);
}

/** Formats the elements of a list as arguments. */
function formatArguments(list: Node): string {
  const text = list.getText();
  return text.startsWith('[') ? text.slice(1, -1) : `...${text}`;
}
