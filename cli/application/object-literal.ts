import { ApplicationError } from './application.error.js';
import { findClosing, splitMembers, type Span } from './masked-source.js';

/** Code to insert into a source. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** An object literal in a source, such as the argument of `@Module({ … })`. */
export interface ObjectLiteral {
  /** The code between its brackets. */
  readonly object: Span;
  /** The positions of its property values, by name. */
  readonly members: ReadonlyMap<string, Span>;
  /** Whether all of its properties are known: none is spread, computed, or shorthand for a variable. */
  readonly isComplete: boolean;
}

const MEMBER = /^([\w$]+)\s*:\s*/;

/** Reads the object whose opening bracket is at a position. Returns `undefined` if its brackets do not match. */
export function readObjectLiteral(masked: string, opening: number): ObjectLiteral | undefined {
  const end = findClosing(masked, opening);
  if (end === undefined) return undefined;
  const object = { start: opening + 1, end };
  const spans = splitMembers(masked, object);
  const members = spans.flatMap(({ start, end: last }): [string, Span][] => {
    const match = MEMBER.exec(masked.slice(start, last));
    return match === null ? [] : [[String(match[1]), { start: start + match[0].length, end: last }]];
  });
  return { object, members: new Map(members), isComplete: members.length === spans.length };
}

/**
 * Builds the insertion that adds an element to one of an object's lists.
 *
 * @throws {ApplicationError} if the list is not a plain array
 */
export function insertElement(
  masked: string,
  { object, members, isComplete }: ObjectLiteral,
  { list, element }: { readonly list: string; readonly element: string },
): Insertion {
  const value = members.get(list);
  if (value !== undefined) return insertIntoArray(masked, value, { list, element });
  if (isComplete) return insertMember(masked, object, `${list}: [${element}]`);
  throw new ApplicationError(`The module's "${list}" must be an array literal, but may be defined elsewhere`);
}

function insertIntoArray(
  masked: string,
  value: Span,
  { list, element }: { readonly list: string; readonly element: string },
): Insertion {
  const isArray = masked.charAt(value.start) === '[' && findClosing(masked, value.start) === value.end - 1;
  if (!isArray)
    throw new ApplicationError(
      `The module's "${list}" must be an array literal, but is a different expression`,
    );
  const inside = { start: value.start + 1, end: value.end - 1 };
  const last = splitMembers(masked, inside).at(-1);
  if (last === undefined) return { at: inside.start, text: element };
  return insertAfter(masked, { after: last, end: inside.end }, element);
}

/** Builds the insertion that adds a property to an object, on a separate line if the other properties are. */
export function insertMember(masked: string, object: Span, member: string): Insertion {
  const last = splitMembers(masked, object).at(-1);
  if (last !== undefined) return insertAfter(masked, { after: last, end: object.end }, member);
  return { at: object.start, text: ` ${member},` };
}

/**
 * Applies insertions from the end to the start of a source, so that positions remain valid. Insertions at the same
 * position retain their order.
 */
export function insertAll(source: string, insertions: readonly Insertion[]): string {
  return insertions
    .toReversed()
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

function insertAfter(
  masked: string,
  { after, end }: { readonly after: Span; readonly end: number },
  text: string,
): Insertion {
  const comma = masked.slice(after.end, end).indexOf(',');
  const hasComma = comma >= 0;
  const at = hasComma ? after.end + comma + 1 : after.end;
  const line = masked.slice(0, after.start).lastIndexOf('\n') + 1;
  const indent = masked.slice(line, after.start);
  const isOnItsLine = indent.trim() === '' && line > 0;
  const separator = isOnItsLine ? `${masked.charAt(line - 2) === '\r' ? '\r\n' : '\n'}${indent}` : ' ';
  return { at, text: `${hasComma ? '' : ','}${separator}${text}${hasComma ? ',' : ''}` };
}
