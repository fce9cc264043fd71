import { MOST_SUGGESTIONS, rankNames, suggestOptions } from './suggest-names.js';
import { quoteAll } from '../words/words.js';

/** An option is invalid. Each module throws its own class instead. */
export class OptionError extends Error {
  override readonly name = 'OptionError';

  constructor(
    /** The option, for example `sessions.idleTimeoutMs`. */
    readonly option: string,
    readonly expected: string,
  ) {
    super(`"${option}" ${expected}`);
  }
}

/** Builds the error that a module throws for an invalid option. */
export type OptionErrorClass = new (option: string, expected: string, options?: ErrorOptions) => Error;

/**
 * Runs checks, and rethrows the first failure as the module's own error.
 *
 * @throws {Error} the module's own error, for the first invalid option
 */
export function asserting(ModuleError: OptionErrorClass, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof OptionError) throw new ModuleError(error.option, error.expected);
    throw error;
  }
}

/** The longest delay that Node's timers accept. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Checks the value of the option with this name, and throws if it is invalid. */
export type Check = (option: string, value: unknown) => void;

/** The checks of an object's properties. */
export type Checks = Readonly<Record<string, Check>>;

/** The checks of required options. */
const REQUIRED = new WeakSet<Check>();

/** Checks a non-empty string. */
export const nonEmptyString: Check = (option, value) => {
  if (typeof value !== 'string' || value === '') fail(option, 'must be a non-empty string');
};

/** Checks a string, which may be empty. */
export const string: Check = (option, value) => {
  if (typeof value !== 'string') fail(option, 'must be a string');
};

/** Checks an object with any properties. */
export const object: Check = (option, value) => {
  if (!isObject(value)) fail(option, 'must be an object');
};

/** Checks a function. */
export const callable: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function');
};

/** A signature is as strong as its secret. */
const SHORTEST_SECRET = 32;

/** Checks a day (ISO 8601). */
export const day: Check = (option, value) => {
  const isDay =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDay) fail(option, 'must be a day, such as "2027-01-31"');
};

/** Checks a secret, or several. */
export const secrets: Check = (option, value) => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isLong = (secret: unknown): boolean => typeof secret === 'string' && secret.length >= SHORTEST_SECRET;
  if (given.length > 0 && given.every(isLong)) return;
  fail(option, `must be a string of at least ${SHORTEST_SECRET} characters, or an array of such strings`);
};

/** Checks a boolean. */
export const flag: Check = (option, value) => {
  if (typeof value !== 'boolean') fail(option, 'must be true or false');
};

/** Checks a whole number above 0. */
export const positive: Check = (option, value) => {
  if (!Number.isSafeInteger(value) || Number(value) <= 0) {
    fail(option, 'must be a whole number greater than 0');
  }
};

/** Checks a duration for a timer. */
export const milliseconds: Check = (option, value) => {
  positive(option, value);
  assertTimed(option, value);
};

/** Checks a whole number, 0 or greater. */
export const notNegative: Check = (option, value) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    fail(option, 'must be a whole number, 0 or greater');
  }
};

/** Checks a duration for a timer, or 0 for no timer. */
export const millisecondsOrNone: Check = (option, value) => {
  notNegative(option, value);
  assertTimed(option, value);
};

function assertTimed(option: string, value: unknown): void {
  if (Number(value) > LONGEST_TIMER_MS) fail(option, `must be at most ${LONGEST_TIMER_MS}`);
}

/** Checks a path. Characters with a special meaning in the adapters' routers are rejected. */
export const path: Check = (option, value) => {
  if (!isPath(value)) {
    fail(option, 'must be a path such as "/mcp", without a trailing slash and without "." and ".."');
  }
};

/** Returns whether a value is a path that clients and the adapters' routers leave unchanged. */
export function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~$&',;=@-]+)+$/.test(value);
}

/** Checks an absolute HTTP URL. */
export const httpUrl: Check = (option, value) => {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/i.test(value)) {
    fail(option, 'must be a URL such as "https://desk.example.com/mcp"');
  }
  const { username, password, href } = new URL(value);
  if (username !== '' || password !== '') {
    fail(option, 'must not contain a user or password, because it is public');
  }
  if (!/^https?:/.test(value)) {
    fail(option, `must be a normalized URL with a lower-case scheme: use "${href}"`);
  }
};

/** Checks a media type without parameters, because headers are compared without them. */
export const mediaType: Check = (option, value) => {
  if (typeof value === 'string' && MEDIA_TYPE.test(value)) return;
  fail(option, 'must be a media type such as "application/json", without parameters');
};

/** RFC 6838 §4.2. */
const MEDIA_TYPE = /^[A-Za-z0-9][\w!#$&^.+-]*\/[A-Za-z0-9][\w!#$&^.+-]*$/;

/** Checks an origin, or `*`. */
export const origin: Check = (option, value) => {
  if (value === '*') return;
  if (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value) return;
  fail(option, 'must be an origin such as "https://app.example.com", or "*"');
};

/** Checks a host name, with or without a port. */
export const hostName: Check = (option, value) => {
  const isHost = typeof value === 'string' && /^(?:\[[0-9a-fA-F:.]+\]|[^/\s:]+)(?::\d+)?$/.test(value);
  if (!isHost) fail(option, 'must be a host name such as "desk.example.com"');
};

/** Checks that a string is one of the allowed values. */
export function oneOf(...texts: readonly string[]): Check {
  const listed = quoteAll(texts, ' or ');
  return (option, value) => {
    if (!texts.some((known) => known === value)) fail(option, `must be ${listed}`);
  };
}

/**
 * Rejects an option with a message about what is expected.
 *
 * @throws {OptionError} always; see {@link asserting}
 */
export function fail(option: string, expected: string): never {
  throw new OptionError(option, expected);
}

/** Marks the check of a required option. With an example, a missing value is reported with it; without one, the check itself reports it. */
export function required(check: Check, example?: string): Check {
  const checked: Check = (option, value) => {
    if (value === undefined && example !== undefined)
      fail(option, `is required: set it to a value such as ${example}`);
    check(option, value);
  };
  REQUIRED.add(checked);
  return checked;
}

/** Checks an object and its properties. */
export function properties(checks: Checks): Check {
  return (option, value) => assertProperties(option, value, checks);
}

/** Checks an object with these methods. */
export function methods(...names: readonly string[]): Check {
  return (option, value) => {
    const given = value as Readonly<Record<string, unknown>> | null;
    const missing = names.find((name) => typeof given?.[name] !== 'function');
    if (missing !== undefined) fail(option, `must be an object with the method "${missing}"`);
  };
}

/** Checks an array and its items. */
export function list(check: Check): Check {
  return (option, value) => {
    if (!Array.isArray(value)) fail(option, 'must be an array');
    value.forEach((member, index) => check(`${option}[${index}]`, member));
  };
}

/** Checks a non-empty array and its items. */
export function nonEmptyList(check: Check): Check {
  const checked = list(check);
  return (option, value) => {
    checked(option, value);
    if ((value as readonly unknown[]).length === 0) fail(option, 'must not be empty: omit it instead');
  };
}

/** Checks a value, or a non-empty array of such values. */
export function oneOrMore(check: Check): Check {
  const checked = nonEmptyList(check);
  return (option, value) => (Array.isArray(value) ? checked : check)(option, value);
}

/** Checks a primitive value with the first check, and any other value with the second. */
export function either(type: 'string' | 'boolean', primitive: Check, other: Check): Check {
  return (option, value) => (typeof value === type ? primitive : other)(option, value);
}

/** Accepts `false`, and checks any other value. */
export function unlessFalse(check: Check): Check {
  return (option, value) => {
    if (value !== false) check(option, value);
  };
}

/** Maps other libraries' option names to the names here. */
export type Aliases = ReadonlyMap<string, string>;

const NO_ALIASES: Aliases = new Map();

/** Checks an object's properties; the top-level options have no name. */
export function assertProperties(
  parent: string,
  value: unknown,
  checks: Checks,
  aliases: Aliases = NO_ALIASES,
): void {
  if (!isObject(value)) {
    fail(parent === '' ? 'options' : parent, `must be an object with ${Object.keys(checks).join(', ')}`);
  }
  const qualify = (name: string): string => (parent === '' ? name : `${parent}.${name}`);
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(checks, name)) continue;
    fail(
      qualify(name),
      explainUnknown(name, { known: Object.keys(checks), alias: aliases.get(name), qualify }),
    );
  }
  for (const [name, check] of Object.entries(checks)) {
    if (value[name] !== undefined || REQUIRED.has(check)) check(qualify(name), value[name]);
  }
}

/** Returns whether a value is an object, but not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The known options, and how messages show their names. */
interface KnownOptions {
  readonly known: readonly string[];
  /** The option that has the unknown name in another library. */
  readonly alias: string | undefined;
  readonly qualify: (name: string) => string;
}

/** A longer list of names does not help the reader. */
const MOST_LISTED = 16;

/** Explains that an option is unknown, and suggests options that may have been intended. */
export function explainUnknown(name: string, { known, alias, qualify }: KnownOptions): string {
  const near = alias === undefined ? suggestOptions(name, known) : [alias];
  const hint = near.length === 0 ? '' : `(did you mean ${quoteAll(near.map(qualify), ' or ')}?) `;
  return `${hint}is not a known option${listKnown(name, known, near)}`;
}

function listKnown(name: string, known: readonly string[], near: readonly string[]): string {
  if (known.length <= MOST_LISTED) return `: use one of ${known.join(', ')}`;
  if (near.length > 0) return '';
  const similar = quoteAll(rankNames(name, known).slice(0, MOST_SUGGESTIONS));
  return `: similar options are ${similar}; see all options on the page "Configuration"`;
}
