import type { Node, ObjectLiteralElementLike, ObjectLiteralExpression } from 'ts-morph';
import type { SourceMigration } from './source-migration.js';
import type { TsMorph } from './load-ts-morph.js';

/** Finds the object literal of an expression, following constants. Returns `undefined` for other expressions. */
export function findObject(
  node: Node | undefined,
  morph: TsMorph,
  depth = 0,
): ObjectLiteralExpression | undefined {
  const { Node: is } = morph;
  if (node === undefined || depth > 4) return undefined;
  if (is.isObjectLiteralExpression(node)) return node;
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node)) {
    return findObject(node.getExpression(), morph, depth + 1);
  }
  return findObject(findInitializer(node, morph), morph, depth + 1);
}

/** Finds the value of one of the project's constants. */
export function findInitializer(node: Node | undefined, { Node: is }: TsMorph): Node | undefined {
  if (!is.isIdentifier(node)) return undefined;
  const symbol = node.getSymbol();
  const target = symbol?.getAliasedSymbol() ?? symbol;
  const declaration = target?.getValueDeclaration();
  return is.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
}

/** Returns the name of an object property, or `undefined` if it is spread or computed. */
export function getMemberName(member: ObjectLiteralElementLike, { Node: is }: TsMorph): string | undefined {
  if (is.isSpreadAssignment(member)) return undefined;
  const name = member.getNameNode();
  if (is.isComputedPropertyName(name)) return undefined;
  return is.isStringLiteral(name) ? name.getLiteralValue() : name.getText();
}

/** Finds an object property by name. */
export function findProperty(
  object: ObjectLiteralExpression,
  name: string,
  morph: TsMorph,
): ObjectLiteralElementLike | undefined {
  return object.getProperties().find((member) => getMemberName(member, morph) === name);
}

/** Returns the value of a property; for `{ name }`, the name itself. */
export function getValue(
  member: ObjectLiteralElementLike | undefined,
  { Node: is }: TsMorph,
): Node | undefined {
  if (is.isPropertyAssignment(member)) return member.getInitializer();
  return is.isShorthandPropertyAssignment(member) ? member.getNameNode() : undefined;
}

/** Renames a property without changing its value. */
export function renameMember(file: SourceMigration, member: ObjectLiteralElementLike, name: string): void {
  const { Node: is } = file.facts.morph;
  if (is.isSpreadAssignment(member)) return;
  const node = member.getNameNode();
  const [quote] = is.isStringLiteral(node) ? node.getText() : [''];
  const text = `${quote ?? ''}${name}${quote ?? ''}`;
  const value = is.isShorthandPropertyAssignment(member) ? `: ${node.getText()}` : '';
  file.edits.replace({ start: node.getStart(), end: node.getEnd() }, `${text}${value}`);
}

/** Removes an object property with its comma, and with its line if that contains nothing else. */
export function removeMember(file: SourceMigration, member: Node): void {
  file.edits.remove(findMemberSpan(file.text, member));
}

/** Finds the span to remove for a property or a list element. */
export function findMemberSpan(text: string, member: Node): { readonly start: number; readonly end: number } {
  const comma = /^\s*,/.exec(text.slice(member.getEnd()))?.[0].length ?? 0;
  const end = member.getEnd() + comma;
  const start = member.getStart();
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const blank = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end))?.[0];
  if (blank !== undefined && text.slice(line, start).trim() === '')
    return { start: line, end: end + blank.length };
  const space = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  if (comma > 0) return { start, end: end + space };
  // The preceding comma is removed with the last property.
  const before = /,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end };
}

/** Inserts properties into an object, after one of its properties or as the first ones. A function is called once all edits are known. */
export function insertMembers(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  members: readonly string[] | (() => readonly string[]),
  behind?: Node,
): void {
  if (members.length === 0 && Array.isArray(members)) return;
  const [first] = object.getProperties();
  const separator = findSeparator(file, first);
  const read = () => (typeof members === 'function' ? members() : members);
  if (behind !== undefined) {
    const write = () => read().map((member) => `${separator}${member}`);
    return file.edits.insert(behind.getEnd(), () => write().join(''));
  }
  const isRemoved =
    first !== undefined && file.edits.covers({ start: first.getStart(), end: first.getEnd() });
  if (isRemoved) {
    const lead = separator.replace(/^, ?/, '') || ' ';
    return file.edits.insert(object.getStart() + 1, () => `${lead}${read().join(separator)},`);
  }
  const position = first?.getStart() ?? object.getStart() + 1;
  file.edits.insert(position, () => {
    const text = read().join(separator);
    return first === undefined ? ` ${text} ` : `${text}${separator}`;
  });
}

/** The separator between two properties: a line break or a space. */
function findSeparator({ text, lineEnd }: SourceMigration, first: Node | undefined): string {
  if (first === undefined) return ', ';
  const line = text.lastIndexOf('\n', first.getStart() - 1) + 1;
  const indent = text.slice(line, first.getStart());
  return indent.trim() === '' ? `,${lineEnd}${indent}` : ', ';
}
