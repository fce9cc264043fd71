/** Parses a space-separated list of scopes (RFC 6749 §3.3). */
export function parseScope(text: string): readonly string[] {
  return text.split(' ').filter((scope) => scope !== '');
}

/** Formats a space-separated list of scopes. */
export function formatScope(scopes: readonly string[]): string {
  return scopes.join(' ');
}

/** Merges lists of scopes, without duplicates and in order of first appearance. */
export function mergeScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** Returns whether a value can be a scope (RFC 6749 §3.3, `scope-token`). */
export function isScope(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** A call's value cannot be part of the scope that the call requires. */
export class ScopeValueError extends Error {
  override readonly name = 'ScopeValueError';

  /** @param excluded an additional character that it must not contain */
  constructor(
    readonly variable: string,
    longest: number,
    excluded: string | undefined,
  ) {
    const also = excluded === undefined ? '' : `, and without ${JSON.stringify(excluded)}`;
    super(
      `"${variable}" is part of a scope, so it must be a string of 1 to ${longest} printable ASCII characters without spaces, quotes or backslashes${also}, a number or a boolean`,
    );
  }
}

/** Scopes are sent in headers, which clients and proxies limit. */
const LONGEST_VALUE = 256;

/** A variable, with the preceding literal and the character that its value must not contain. */
interface Part {
  readonly before: string;
  readonly variable: string;
  /**
   * The character that separates the value from the rest, which no value may contain, or it could add a part to the
   * scope; absent if there is none.
   */
  readonly separator: string | undefined;
}

/** Returns whether a scope has variables, or malformed ones. */
export function isScopeTemplate(text: string): boolean {
  return /[{}]/.test(text);
}

/**
 * A scope with variables, which are filled in from a call's values.
 *
 * @example
 * new ScopeTemplate('project:{project}:read').expand(() => 'alpha'); // 'project:alpha:read'
 */
export class ScopeTemplate {
  /** The names of its variables, each once: arguments, or paths to their properties, joined with dots. */
  readonly variables: readonly string[];
  readonly #parts: readonly Part[];
  readonly #rest: string;

  /** @throws {TypeError} if it cannot be a scope template */
  constructor(readonly text: string) {
    const { parts, rest } = parseParts(text);
    this.#parts = parts;
    this.#rest = rest;
    this.variables = [...new Set(parts.map(({ variable }) => variable))];
  }

  /**
   * Builds the scope for a call's values.
   *
   * @param find returns a variable's value
   * @throws {ScopeValueError} if a value is missing, is not a string, number or boolean, or cannot be part of a scope
   */
  expand(find: (variable: string) => unknown): string {
    const filled = this.#parts.map(
      ({ before, variable, separator }) => before + formatValue(variable, find(variable), separator),
    );
    return filled.join('') + this.#rest;
  }
}

function parseParts(text: string): { readonly parts: readonly Part[]; readonly rest: string } {
  // Literals and names alternate.
  const pieces = text.split(/\{([^{}]*)\}/);
  const texts = pieces.filter((_piece, index) => index % 2 === 0);
  const names = pieces.filter((_piece, index) => index % 2 === 1);
  const rest = texts.at(-1) ?? '';
  assertTexts(text, texts);
  const parts = names.map((variable, index): Part => {
    if (!/^[^\s."\\]+(\.[^\s."\\]+)*$/.test(variable))
      fail(text, `"{${variable}}" does not name an argument`);
    const before = texts[index] ?? '';
    const after = texts[index + 1]?.[0];
    const isLast = index === names.length - 1;
    return { before, variable, separator: isLast ? [after, before.at(-1)].find(isSeparator) : after };
  });
  return { parts, rest };
}

function isSeparator(character: string | undefined): boolean {
  return character !== undefined && /[^A-Za-z0-9]/.test(character);
}

function assertTexts(text: string, texts: readonly string[]): void {
  if (texts.some(isScopeTemplate)) fail(text, 'each "{" needs a "}", with an argument name in between');
  if (texts.some((piece) => piece !== '' && !isScope(piece))) fail(text, 'a scope has no spaces or quotes');
  if (texts.slice(1, -1).includes('')) fail(text, 'put a character such as ":" between two variables');
}

function fail(text: string, explanation: string): never {
  throw new TypeError(`The scope ${JSON.stringify(text)} cannot be used: ${explanation}`);
}

function formatValue(variable: string, value: unknown, separator: string | undefined): string {
  const isPlain = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value);
  const text = isPlain ? String(value) : '';
  const isUsable =
    isScope(text) && text.length <= LONGEST_VALUE && (separator === undefined || !text.includes(separator));
  if (!isUsable) throw new ScopeValueError(variable, LONGEST_VALUE, separator);
  return text;
}
