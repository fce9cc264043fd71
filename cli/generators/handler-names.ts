import { UsageError } from '../usage.error.js';

/** A handler's names in its file, its class and its catalog entry. */
export interface HandlerNames {
  /** The file name, for example `create-order`. */
  readonly name: string;
  /** The class name, for example `CreateOrderTool`. */
  readonly className: string;
  /** The method name, for example `createOrder`. */
  readonly method: string;
  /** The name that models call, for example `create_order`. */
  readonly called: string;
  /** The title that people read, for example `Create order`. */
  readonly title: string;
  /** The words within a sentence, for example `create order`. */
  readonly words: string;
  /** The words joined with dashes only, for example `create-order`. */
  readonly dashed: string;
  /** A constant's name, for example `CREATE_ORDER`. */
  readonly constant: string;
}

const NAME = /^[a-z][a-z\d]*(?:[-_.][a-z\d]+)*$/;

/** Names that a handler cannot have: reserved words, and methods that JavaScript or Nest calls. */
const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof var void while with yield arguments eval undefined
  constructor prototype then to-string to-json value-of has-own-property is-prototype-of property-is-enumerable to-locale-string
  on-module-init on-module-destroy on-application-bootstrap on-application-shutdown before-application-shutdown`.split(
    /\s+/,
  ),
);

/** Normalizes a name or a path as the Nest CLI does: `createOrder` becomes `create-order`, and spaces become dashes. */
export function normalizeName(text: string): string {
  return text
    .trim()
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/\s/g, '-');
}

/**
 * Derives all names from a normalized name.
 *
 * @throws {UsageError} if it cannot name a class or a method
 */
export function deriveNames(name: string, suffix: string): HandlerNames {
  if (!NAME.test(name)) {
    throw new UsageError(
      `"${name}" cannot be the name of a class: use letters, digits and dashes, starting with a letter, such as "create-order"`,
    );
  }
  const parts = name.split(/[-_.]/);
  const dashed = parts.join('-');
  if (RESERVED.has(dashed)) {
    throw new UsageError(`"${name}" is a reserved name: choose another, such as "${name}-order"`);
  }
  const called = parts.join('_');
  const pascal = parts.map(capitalize).join('');
  return {
    name,
    className: pascal + suffix.split('-').map(capitalize).join(''),
    method: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    called,
    title: capitalize(parts.join(' ')),
    words: parts.join(' '),
    dashed,
    constant: called.toUpperCase(),
  };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
