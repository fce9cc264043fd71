import { quoteAll } from '../../words/words.js';

/** A string is not a URI template, or a template cannot expand a value. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';

  constructor(
    readonly template: string,
    explanation: string,
  ) {
    super(`The URI template "${shorten(template)}" ${explanation}`);
  }
}

function shorten(template: string): string {
  return template.length > 200 ? `${template.slice(0, 200)}…` : template;
}

/** How an expression is expanded (RFC 6570 Appendix A). */
export interface Operator {
  /** The sign before the first value. */
  readonly first: '' | '#' | '.' | '/' | ';' | '?' | '&';
  /** The separator between two values. */
  readonly separator: ',' | '.' | '/' | ';' | '&';
  /** Whether each value is preceded by its name. */
  readonly isNamed: boolean;
  /** The suffix after the name of an empty value. */
  readonly ifEmpty: '' | '=';
  /** Whether reserved characters are not encoded. */
  readonly keepsReserved: boolean;
}

export interface Variable {
  readonly name: string;
  /** The name as it precedes a value in a URI. */
  readonly nameCharacters: readonly string[];
  readonly isExploded: boolean;
  /** The maximum length in characters; infinite without a prefix modifier. */
  readonly maxLength: number;
}

export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
  /** Whether its separator splits its value, which is not the case for a single variable that is not exploded. */
  readonly isList: boolean;
}

export interface Literal {
  readonly text: string;
  readonly characters: readonly string[];
}

/** A template part: a literal or an expression. */
export type TemplatePart = Literal | Expression;

export interface ParsedTemplate {
  readonly text: string;
  readonly parts: readonly TemplatePart[];
}

/** In UTF-16 code units. */
const MAXIMUM_LENGTH = 1000;

const SIMPLE: Operator = { first: '', separator: ',', isNamed: false, ifEmpty: '', keepsReserved: false };

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', { ...SIMPLE, keepsReserved: true }],
  ['#', { ...SIMPLE, first: '#', keepsReserved: true }],
  ['.', { ...SIMPLE, first: '.', separator: '.' }],
  ['/', { ...SIMPLE, first: '/', separator: '/' }],
  [';', { ...SIMPLE, first: ';', separator: ';', isNamed: true }],
  ['?', { ...SIMPLE, first: '?', separator: '&', isNamed: true, ifEmpty: '=' }],
  ['&', { ...SIMPLE, first: '&', separator: '&', isNamed: true, ifEmpty: '=' }],
]);

/** Operators that RFC 6570 §2.2 reserves for extensions. */
const RESERVED_OPERATORS = '=,!@|';

const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*)(?:(\*)|:([1-9]\d{0,3}))?$/;

/**
 * Splits a template into literals and expressions.
 *
 * @throws {UriTemplateError} if it does not follow RFC 6570 §2, or is longer than 1000 characters
 */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > MAXIMUM_LENGTH) {
    throw new UriTemplateError(text, `has ${text.length} characters: shorten it to ${MAXIMUM_LENGTH}`);
  }
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < text.length) {
    const opening = text.indexOf('{', position);
    const literal = text.slice(position, opening < 0 ? undefined : opening);
    if (literal !== '') parts.push({ text: literal, characters: getUriCharacters(literal, text) });
    if (opening < 0) break;
    const closing = text.indexOf('}', opening);
    if (closing < 0) throw new UriTemplateError(text, `never closes "${text.slice(opening)}": add a "}"`);
    parts.push(parseExpression(text.slice(opening + 1, closing), text));
    position = closing + 1;
  }
  return { text, parts };
}

function parseExpression(inside: string, text: string): Expression {
  const sign = inside.charAt(0);
  if (sign !== '' && RESERVED_OPERATORS.includes(sign)) {
    const known = quoteAll(OPERATORS.keys());
    throw new UriTemplateError(text, `has the operator "${sign}": use one of ${known}, or none`);
  }
  const operator = OPERATORS.get(sign);
  const list = operator === undefined ? inside : inside.slice(1);
  const variables = list.split(',').map((one) => parseVariable(one, text));
  const isList = variables.length > 1 || variables.some(({ isExploded }) => isExploded);
  return { operator: operator ?? SIMPLE, variables, isList };
}

function parseVariable(specification: string, text: string): Variable {
  const [, name, star, length] = VARIABLE.exec(specification) ?? [];
  if (name === undefined) {
    const expected =
      'a name of letters, digits, "_" and ".", optionally followed by "*", or by ":" and 1 to 9999';
    throw new UriTemplateError(text, `has the variable ${JSON.stringify(specification)}: use ${expected}`);
  }
  const maxLength = length === undefined ? Infinity : Number(length);
  return {
    name,
    nameCharacters: getUriCharacters(name, text),
    isExploded: star !== undefined,
    maxLength,
  };
}

function getUriCharacters(piece: string, text: string): readonly string[] {
  const characters = parseUriCharacters(piece);
  if (characters !== undefined) return characters;
  throw new UriTemplateError(text, explainStrayCharacter(findStrayCharacter(piece)));
}

function explainStrayCharacter(stray: string | undefined): string {
  if (stray === undefined) return 'encodes bytes that are not UTF-8: encode it as UTF-8';
  if (stray === '}') return 'has an unmatched "}": add its "{" or remove it';
  return `contains the character ${JSON.stringify(stray)}: percent-encode it`;
}

const NO_URI_CHARACTER = /[\0-\x20"<>\\^`{|}\x7f-\x9f]|%(?![\dA-Fa-f]{2})|[\ud800-\udfff]/u;
const PIECE = /(?:%[\dA-Fa-f]{2})+|[^%]/gu;
const RESERVED = /[^\w\-.~\u0080-\u{10ffff}]/u;

/**
 * Splits a URI into its characters. A needlessly percent-encoded character equals the plain one (RFC 3986 §6.2.2.2).
 * For others, `%` precedes the decoded character, so `%2F` is `'%/'` and never `/`.
 *
 * @returns `undefined` for malformed percent-encoding, bytes that are not UTF-8, and characters that URIs do not
 * allow
 */
export function parseUriCharacters(uri: string): readonly string[] | undefined {
  if (NO_URI_CHARACTER.test(uri)) return undefined;
  if (!uri.includes('%')) return [...uri];
  const characters: string[] = [];
  for (const [piece] of uri.matchAll(PIECE)) {
    const decoded = piece.startsWith('%') ? decodeTriplets(piece) : [piece];
    if (decoded === undefined) return undefined;
    characters.push(...decoded);
  }
  return characters;
}

/** Finds the first character that URIs do not allow, except an apostrophe, which RFC 6570 §2.1 excludes too. */
export function findStrayCharacter(text: string): string | undefined {
  return NO_URI_CHARACTER.exec(text)?.[0];
}

/** Joins characters into a string. */
export function decodeCharacters(characters: readonly string[]): string {
  return characters.map((one) => (one.startsWith('%') ? one.slice(1) : one)).join('');
}

function decodeTriplets(triplets: string): string[] | undefined {
  try {
    return [...decodeURIComponent(triplets)].map((one) => (RESERVED.test(one) ? `%${one}` : one));
  } catch {
    return undefined;
  }
}
