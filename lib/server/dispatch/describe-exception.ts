import { type HttpException, HttpStatus } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';

type Properties = { readonly [name: string]: unknown };

/** Properties that contain a human-readable message. */
const HEADINGS: ReadonlySet<string> = new Set(['message', 'title', 'detail']);

/** Properties that contain per-field problems, each with its own path. */
const COLLECTIONS: ReadonlySet<string> = new Set([
  ...['message', 'errors', 'issues', 'details', 'violations', 'validationErrors', 'fieldErrors'],
  ...['formErrors', 'invalid-params', 'invalidParams', 'invalid_params', 'error', 'data', 'properties'],
]);

/** Properties that describe the request or the code rather than the problem. */
const ROUTINE: ReadonlySet<string> = new Set(['instance', 'timestamp', 'method', 'stack', 'cause', 'trace']);

/**
 * Formats an exception for the caller: the content of the HTTP response that a route would send, with one line per
 * problem. This includes its message, validation errors as lists or maps of fields, and problem details properties. A
 * server error (5xx) is reduced to its message.
 *
 * @see RFC 9457
 */
export function describeException(exception: HttpException): string {
  if (exception.getStatus() >= 500) return exception.message;
  const lines = new ProblemLines();
  const response = readShown(exception.getResponse());
  if (isObject(response)) addResponse(response, lines);
  else lines.addHeading(exception.message);
  if (lines.count === 0) addValidationErrors(exception, lines);
  return lines.format() ?? exception.message;
}

function addResponse(response: Properties, lines: ProblemLines): void {
  const issues = findIssues(response);
  if (issues !== undefined) return lines.add(issues);
  const names = readNames(response);
  for (const name of names) {
    const value = readProperty(response, name);
    if (typeof value === 'string' && (HEADINGS.has(name) || isOwnError(name, value))) lines.addHeading(value);
  }
  for (const name of names) addProperty(name, readProperty(response, name), lines);
}

/** Schema library errors hold their issues in a property that JSON joins into one string, or omits. */
function findIssues(response: Properties): readonly unknown[] | undefined {
  const issues = response instanceof Error ? readProperty(response, 'issues') : undefined;
  return Array.isArray(issues) && issues.length > 0 ? issues : undefined;
}

function addProperty(name: string, value: unknown, lines: ProblemLines): void {
  if (typeof value === 'string' && (HEADINGS.has(name) || name === 'error')) return;
  if (isRoutine(name, value)) return;
  if (name === 'error' && isObject(value)) return addResponse(value, lines);
  if (COLLECTIONS.has(name)) lines.add(value);
  else lines.add(value, name);
}

/** Returns whether a property only repeats the status, the location or the time. */
function isRoutine(name: string, value: unknown): boolean {
  if (name === 'status' || name === 'statusCode') return /^(?:\d+|fail|error)$/.test(String(value));
  if (name === 'success' || name === 'ok') return typeof value === 'boolean';
  // The URI of a page in problem details, or of the route.
  if (name === 'type' || name === 'path' || name === 'url') return /^about:|\//.test(String(value));
  return ROUTINE.has(name);
}

/** Nest sets `error` to the status name, which adds nothing. */
function isOwnError(name: string, text: string): boolean {
  const key = text.replaceAll(/[^a-z]+/gi, '_').toUpperCase();
  return name === 'error' && !(key in HttpStatus) && key !== 'I_M_A_TEAPOT';
}

/** Errors outside of the response are added only if they are class-validator errors from a pipe. */
function addValidationErrors(exception: HttpException, lines: ProblemLines): void {
  const errors = readProperty(exception, 'errors');
  if (!Array.isArray(errors)) return;
  lines.add(errors.filter((error) => isObject(error) && typeof error['property'] === 'string'));
}

/** The maximum number of lines; models and people do not read more. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1000;
const MOST_CHARACTERS_OF_HEADING = 10_000;

/** Values that are nested more deeply or exceed the maximum number are ignored. */
const MOST_LEVELS = 8;
const MOST_VALUES = 1000;

/** The properties in which libraries and applications describe the problem, in order of preference. */
const TEXTS = ['message', 'reason', 'detail', 'msg', 'title'];

/** The properties that identify the field. */
const LOCATIONS = [
  ...['path', 'field', 'pointer', 'source', 'param', 'parameter', 'loc', 'instancePath', 'dataPath'],
  ...['property', 'attribute', 'key', 'name'],
];

/** Properties with nested problems, whose names are not part of the path. */
const NESTING: ReadonlySet<string> = new Set(['_errors', 'errors', 'fieldErrors', 'formErrors']);

/** Further properties of library-specific issues. */
const ABOUT_ISSUES: ReadonlySet<string> = new Set([
  ...['code', 'errorCode', 'type', 'kind', 'expected', 'received', 'value', 'input', 'severity', 'rule'],
  ...['keyword', 'params', 'schemaPath', 'target', 'contexts', 'minimum', 'maximum', 'inclusive', 'exact'],
  ...[
    'validation',
    'keys',
    'options',
    'unionErrors',
    'origin',
    'format',
    'pattern',
    'note',
    'errors',
    'title',
  ],
  ...['status', 'reason', 'detail', 'requirement', 'issues'],
]);

/** A value's position. */
interface Position {
  /** The fields' names, joined with dots; empty at the top. */
  readonly path: string;
  readonly level: number;
  /** Whether the value has a name or is in a list, and may therefore be a problem of its own. */
  readonly isInside: boolean;
}

/** Collects one line per problem. It never throws, and its running time is bounded for any value. */
class ProblemLines {
  readonly #headings: string[] = [];
  readonly #lines: string[] = [];
  #values = 0;

  /** The number of problems so far. */
  get count(): number {
    return this.#lines.length;
  }

  /** Adds a line before the problems. */
  addHeading(text: string): void {
    if (text.trim() !== '') this.#headings.push(cut(text, MOST_CHARACTERS_OF_HEADING));
  }

  /**
   * Adds the problems in a value: a string, a list, a map of fields to any of these, or a library's issue.
   *
   * @param path the field; empty if the value identifies it
   */
  add(value: unknown, path = ''): void {
    this.#visit(value, { path, level: 0, isInside: path !== '' });
  }

  /** Returns all lines, or `undefined` if there are none. */
  format(): string | undefined {
    const all = [...this.#headings, ...this.#lines];
    return all.length === 0 ? undefined : all.join('\n');
  }

  #visit(value: unknown, at: Position): void {
    this.#values += 1;
    if (this.#isFull || at.level > MOST_LEVELS) return;
    const shown = readShown(value);
    if (Array.isArray(shown)) this.#visitList(shown, at);
    else if (isObject(shown)) this.#visitObject(shown, at);
    else this.#addLine(shown, at.path);
  }

  get #isFull(): boolean {
    return this.#lines.length >= MOST_LINES || this.#values > MOST_VALUES;
  }

  #visitList(list: readonly unknown[], { path, level }: Position): void {
    for (const [index, member] of list.entries()) {
      if (this.#isFull) return;
      const isNumbered = path !== '' && isObject(member) && !isProblem(member);
      const own = isNumbered ? `${path}.${index}` : path;
      this.#visit(member, { path: own, level: level + 1, isInside: true });
    }
  }

  #visitObject(object: Properties, at: Position): void {
    const { path, level } = at;
    if (isValidationError(object)) return this.#visitValidationError(object, at);
    const issue = at.isInside ? findIssue(object) : undefined;
    if (issue !== undefined) {
      const within = join(path, issue.location);
      this.#visitList(issue.texts, { path: within, level, isInside: true });
      return this.#visit(readProperty(object, 'errors'), { path: within, level: level + 1, isInside: true });
    }
    const isTree = Array.isArray(readProperty(object, 'errors'));
    for (const name of readNames(object)) {
      if (this.#isFull) return;
      const isNesting = NESTING.has(name) || (isTree && (name === 'properties' || name === 'items'));
      const own = isNesting ? path : join(path, name);
      this.#visit(readProperty(object, name), { path: own, level: level + 1, isInside: own !== '' });
    }
  }

  /** Adds the names of outer fields in front of inner errors, as Nest does. */
  #visitValidationError(error: Properties, { path, level }: Position): void {
    const prefix = path === '' ? '' : `${path}.`;
    const constraints = readProperty(error, 'constraints');
    for (const name of isObject(constraints) ? readNames(constraints) : []) {
      const text = readProperty(constraints as Properties, name);
      if (typeof text === 'string') this.#addLine(`${prefix}${text}`, '');
    }
    const within = `${prefix}${String(readProperty(error, 'property'))}`;
    this.#visit(readProperty(error, 'children'), { path: within, level: level + 1, isInside: true });
  }

  #addLine(value: unknown, path: string): void {
    const isWord = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
    // A number without a path is not a description.
    if (typeof value !== 'string' && !(isWord && path !== '')) return;
    const text = String(value).replaceAll(/\s+/g, ' ').trim();
    if (text === '' || this.#isFull) return;
    this.#lines.push(cut(path === '' ? text : `${path}: ${text}`, MOST_CHARACTERS));
  }
}

/** Reads a property. A getter may throw. */
function readProperty(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return undefined;
  }
}

/** Reads the names of the properties that JSON would include. */
function readNames(object: object): readonly string[] {
  try {
    return Object.keys(object);
  } catch {
    return [];
  }
}

/** Returns a value as JSON would serialize it. */
function readShown(value: unknown): unknown {
  const toJson = typeof value === 'object' && value !== null ? readProperty(value, 'toJSON') : undefined;
  if (typeof toJson !== 'function') return value;
  try {
    return Reflect.apply(toJson, value, ['']);
  } catch {
    return undefined;
  }
}

interface Issue {
  readonly texts: readonly string[];
  /** The field; empty for the whole value. */
  readonly location: string;
}

function isProblem(object: Properties): boolean {
  return isValidationError(object) || findIssue(object) !== undefined;
}

/** Returns whether an object is a class-validator error. */
function isValidationError(object: Properties): boolean {
  const isOfField = typeof readProperty(object, 'property') === 'string';
  return (
    isOfField &&
    (isObject(readProperty(object, 'constraints')) || Array.isArray(readProperty(object, 'children')))
  );
}

/**
 * Reads an object as an issue with one field. An object without a description, or with other strings, is a map of
 * fields.
 */
function findIssue(object: Properties): Issue | undefined {
  const names = readNames(object);
  const candidates = TEXTS.filter((name) => names.includes(name)).map((name) =>
    readTexts(readProperty(object, name)),
  );
  const texts = candidates.find((strings) => strings.length > 0);
  if (texts === undefined) return undefined;
  const location = LOCATIONS.filter((name) => names.includes(name))
    .map((name) => readLocation(readProperty(object, name)))
    .find((found) => found !== undefined);
  if (location !== undefined) return { texts, location };
  const isAlone = names.every((name) => name === 'message' || ABOUT_ISSUES.has(name));
  return isAlone ? { texts, location: '' } : undefined;
}

function readTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_LINES).filter((text): text is string => typeof text === 'string');
}

/** Reads a list of names, a string with dots, or a JSON pointer (RFC 6901). */
function readLocation(value: unknown): string | undefined {
  if (typeof value === 'string') return /^#?\//.test(value) ? readPointer(value) : value;
  if (isObject(value))
    return readLocation(readProperty(value, 'pointer') ?? readProperty(value, 'parameter'));
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, MOST_LEVELS * 2)
    .map(readSegment)
    .join('.');
}

function readPointer(pointer: string): string {
  const segments = pointer.replace(/^#?\//, '').split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** In Valibot and Standard Schema, a segment is an object with a key. */
function readSegment(segment: unknown): string {
  const key = isObject(segment) ? readProperty(segment, 'key') : segment;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

/** Libraries may repeat the name of the enclosing field. */
function join(path: string, name: string): string {
  if (name === '' || path === name || path.endsWith(`.${name}`)) return path;
  return path === '' ? name : `${path}.${name}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
