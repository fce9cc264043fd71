import type { Node, ObjectLiteralElementLike, ObjectLiteralExpression } from 'ts-morph';
import type { SourceMigration } from './source-migration.js';
import type { TsMorph } from './load-ts-morph.js';

/** Finds the object that an expression is, also by the name of a constant. Returns `undefined` if it is made otherwise. */
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

/** Finds the value of a constant of the project. */
export function findInitializer(node: Node | undefined, { Node: is }: TsMorph): Node | undefined {
  if (!is.isIdentifier(node)) return undefined;
  const symbol = node.getSymbol();
  const target = symbol?.getAliasedSymbol() ?? symbol;
  const declaration = target?.getValueDeclaration();
  return is.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
}

/** Names a member of an object; nothing for one that is spread or computed. */
export function getMemberName(member: ObjectLiteralElementLike, { Node: is }: TsMorph): string | undefined {
  if (is.isSpreadAssignment(member)) return undefined;
  const name = member.getNameNode();
  if (is.isComputedPropertyName(name)) return undefined;
  return is.isStringLiteral(name) ? name.getLiteralValue() : name.getText();
}

/** Finds a member of an object by its name. */
export function findProperty(
  object: ObjectLiteralExpression,
  name: string,
  morph: TsMorph,
): ObjectLiteralElementLike | undefined {
  return object.getProperties().find((member) => getMemberName(member, morph) === name);
}

/** Gives what a member is set to: of `{ name }` the name itself. */
export function getValue(
  member: ObjectLiteralElementLike | undefined,
  { Node: is }: TsMorph,
): Node | undefined {
  if (is.isPropertyAssignment(member)) return member.getInitializer();
  return is.isShorthandPropertyAssignment(member) ? member.getNameNode() : undefined;
}

/** Renames a member, and keeps its value. */
export function renameMember(file: SourceMigration, member: ObjectLiteralElementLike, name: string): void {
  const { Node: is } = file.facts.morph;
  if (is.isSpreadAssignment(member)) return;
  const node = member.getNameNode();
  const [quote] = is.isStringLiteral(node) ? node.getText() : [''];
  const text = `${quote ?? ''}${name}${quote ?? ''}`;
  const value = is.isShorthandPropertyAssignment(member) ? `: ${node.getText()}` : '';
  file.edits.replace({ start: node.getStart(), end: node.getEnd() }, `${text}${value}`);
}

/** Takes a member out of an object, with its comma, and with its line if nothing else is there. */
export function removeMember(file: SourceMigration, member: Node): void {
  file.edits.remove(findMemberSpan(file.text, member));
}

/** Finds what goes with a member, or an element of a list, that is taken out. */
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
  // The last one takes the comma before it along.
  const before = /,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end };
}

/** Writes members into an object, behind one of them, or as its first. A function is asked at the end. */
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

/** The separator between two members: a line break or a space. */
function findSeparator({ text, lineEnd }: SourceMigration, first: Node | undefined): string {
  if (first === undefined) return ', ';
  const line = text.lastIndexOf('\n', first.getStart() - 1) + 1;
  const indent = text.slice(line, first.getStart());
  return indent.trim() === '' ? `,${lineEnd}${indent}` : ', ';
}
