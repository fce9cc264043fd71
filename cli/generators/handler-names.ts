import { UsageError } from '../usage.error.js';

/** What a handler is called in each place. */
export interface HandlerNames {
  /** As its file, for example `create-order`. */
  readonly name: string;
  /** As its class, for example `CreateOrderTool`. */
  readonly className: string;
  /** As a method, for example `createOrder`. */
  readonly method: string;
  /** As models call it, for example `create_order`. */
  readonly called: string;
  /** As people read it, for example `Create order`. */
  readonly title: string;
  /** In words of a sentence, for example `create order`. */
  readonly words: string;
  /** With dashes alone, for example `create-order`. */
  readonly dashed: string;
  /** As what is a constant, for example `CREATE_ORDER`. */
  readonly constant: string;
}

const NAME = /^[a-z][a-z\d]*(?:[-_.][a-z\d]+)*$/;

/** What a name cannot become: words of the language, and methods that the language or Nest calls. */
const RESERVED = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof var void while with yield arguments eval undefined
  constructor prototype then to-string to-json value-of has-own-property is-prototype-of property-is-enumerable to-locale-string
  on-module-init on-module-destroy on-application-bootstrap on-application-shutdown before-application-shutdown`.split(
    /\s+/,
  ),
);

/** Normalizes a name or a path as the Nest CLI does: `createOrder` is `create-order`, and blanks are dashes. */
export function normalizeName(text: string): string {
  return text
    .trim()
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/\s/g, '-');
}

/**
 * Derives all names from a name that is normalized.
 *
 * @throws {UsageError} if it cannot be a class or a method
 */
export function deriveNames(name: string, suffix: string): HandlerNames {
  if (!NAME.test(name)) {
    throw new UsageError(
      `"${name}" cannot be the name of a class: write letters, digits and dashes, a letter first, such as "create-order"`,
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
