import { findNodeAtLocation, type Node } from 'jsonc-parser';

/** A replacement of the characters between two positions. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Blanks and comments up to a comma. */
const UP_TO_COMMA = /(?:\s|\/\/[^\n\r]*(?=[\n\r]|$)|\/\*(?:(?!\*\/)[^])*\*\/)*,/y;

/**
 * Adds a property at the start of an object, so that comments stay next to their properties. It is written on a
 * separate line if the object spans several lines.
 */
export function insertMember(text: string, object: Node, name: string, value: unknown): string {
  const start = object.offset + 1;
  const end = object.offset + object.length - 1;
  const inside = text.slice(start, object.children?.[0]?.offset ?? end);
  const isEmpty = object.children?.length === 0;
  const comma = isEmpty ? '' : ',';
  if (!isEmpty && !/[\n\r]/.test(inside)) {
    return apply(text, [{ start, end: start, text: `${JSON.stringify(name)}:${JSON.stringify(value)},` }]);
  }
  const { indent, lineEnd } = readStyle(text);
  const outer = indentAt(text, object.offset);
  const written = JSON.stringify({ [name]: value }, undefined, indent)
    .split('\n')
    .slice(1, -1);
  const lines = written.map((line) => `${lineEnd}${outer}${line}`).join('');
  const closing = isEmpty && inside.trim() === '' ? `${lineEnd}${outer}` : '';
  const edit = { start, end: closing === '' ? start : end, text: `${lines}${comma}${closing}` };
  return apply(text, [edit]);
}

/** Removes a property from an object, with its comma; nothing changes if it does not exist. */
export function removeMember(text: string, root: Node, path: readonly string[]): string {
  return removeItem(text, findNodeAtLocation(root, [...path])?.parent);
}

/** Removes a property of an object or an item of an array, with its comma; nothing changes if there is none. */
export function removeItem(text: string, item: Node | undefined): string {
  const holder = item?.parent;
  if (item === undefined || holder === undefined) return text;
  const siblings = holder.children ?? [];
  const before = siblings[siblings.indexOf(item) - 1];
  const end = item.offset + item.length;
  const start = item.offset - (/\s*$/.exec(text.slice(0, item.offset))?.[0].length ?? 0);
  const following = findComma(text, end);
  const preceding = before && findComma(text, before.offset + before.length);
  const comma = following ?? preceding;
  const commas = comma === undefined ? [] : [{ start: comma, end: comma + 1, text: '' }];
  const left = apply(text, [{ start, end, text: '' }, ...commas]);
  return siblings.length === 1 ? closeEmpty(left, holder.offset) : left;
}

/** Removes a line that became empty. */
function closeEmpty(text: string, offset: number): string {
  const inside = /[[{](\s*)[\]}]/y;
  inside.lastIndex = offset;
  const blank = inside.exec(text)?.[1];
  return blank === undefined
    ? text
    : apply(text, [{ start: offset + 1, end: offset + 1 + blank.length, text: '' }]);
}

function findComma(text: string, from: number): number | undefined {
  UP_TO_COMMA.lastIndex = from;
  const found = UP_TO_COMMA.exec(text);
  return found === null ? undefined : UP_TO_COMMA.lastIndex - 1;
}

/** Applies edits from the end to the beginning, so that positions remain valid. */
function apply(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((left, { start, end, text: added }) => left.slice(0, start) + added + left.slice(end), text);
}

function readStyle(text: string): { readonly indent: string; readonly lineEnd: string } {
  return {
    indent: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** The indentation of the line on which an object starts. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
