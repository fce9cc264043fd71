import { isScope } from './scope.js';
import { ScopeValueError } from './scope-value.error.js';

/** Scopes go into headers, where they meet limits of clients and proxies. */
const LONGEST_VALUE = 256;

/** A variable with the text before it, and the text that its value must not contain. */
interface Part {
  readonly before: string;
  readonly variable: string;
  /** The character that divides the value from the rest, so that no value adds a part to the scope; absent if nothing does. */
  readonly separator: string | undefined;
}

/** Tells whether a text has variables, or tries to. */
export function isScopeTemplate(text: string): boolean {
  return /[{}]/.test(text);
}

/**
 * A scope with variables, which the values of a call fill in.
 *
 * @example
 * new ScopeTemplate('project:{project}:read').expand(() => 'alpha'); // 'project:alpha:read'
 */
export class ScopeTemplate {
  /** The names of its variables, each once: of arguments, or paths to members of them, joined by dots. */
  readonly variables: readonly string[];
  readonly #parts: readonly Part[];
  readonly #rest: string;

  /** @throws {TypeError} if it cannot be a template of a scope */
  constructor(readonly text: string) {
    const { parts, rest } = parseParts(text);
    this.#parts = parts;
    this.#rest = rest;
    this.variables = [...new Set(parts.map(({ variable }) => variable))];
  }

  /**
   * Writes the scope that values make.
   *
   * @param find gives the value of a variable
   * @throws {ScopeValueError} if a value is missing, is not a text, a number or a boolean, or cannot stand in a scope
   */
  expand(find: (variable: string) => unknown): string {
    const filled = this.#parts.map(
      ({ before, variable, separator }) => before + formatValue(variable, find(variable), separator),
    );
    return filled.join('') + this.#rest;
  }
}

function parseParts(text: string): { readonly parts: readonly Part[]; readonly rest: string } {
  // Texts and names take turns.
  const pieces = text.split(/\{([^{}]*)\}/);
  const texts = pieces.filter((_piece, index) => index % 2 === 0);
  const names = pieces.filter((_piece, index) => index % 2 === 1);
  const rest = texts.at(-1) ?? '';
  assertTexts(text, texts);
  const parts = names.map((variable, index): Part => {
    if (!/^[^\s."\\]+(\.[^\s."\\]+)*$/.test(variable)) fail(text, `"{${variable}}" names no argument`);
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
  if (texts.some(isScopeTemplate)) fail(text, 'each "{" needs its "}", with the name of an argument between');
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
