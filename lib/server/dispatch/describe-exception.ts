import { type HttpException, HttpStatus } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';

type Members = { readonly [name: string]: unknown };

/** Members of a response that say in words what happened. */
const HEADINGS: ReadonlySet<string> = new Set(['message', 'title', 'detail']);

/** Members that have the faults of fields, which say for themselves where they are. */
const COLLECTIONS: ReadonlySet<string> = new Set([
  ...['message', 'errors', 'issues', 'details', 'violations', 'validationErrors', 'fieldErrors'],
  ...['formErrors', 'invalid-params', 'invalidParams', 'invalid_params', 'error', 'data', 'properties'],
]);

/** Members that are about the request or the code, and say nothing of the fault. */
const ROUTINE: ReadonlySet<string> = new Set(['instance', 'timestamp', 'method', 'stack', 'cause', 'trace']);

/**
 * Returns the text of an exception for the caller: what its route would answer, a line for each fault. That is its
 * message, the findings of a validation, as lists or maps of fields, and the members of problem details. If the server is
 * at fault, it is the message alone.
 *
 * @see RFC 9457
 */
export function describeException(exception: HttpException): string {
  if (exception.getStatus() >= 500) return exception.message;
  const lines = new FaultLines();
  const response = readShown(exception.getResponse());
  if (isObject(response)) tellResponse(response, lines);
  else lines.addHeading(exception.message);
  if (lines.count === 0) tellKept(exception, lines);
  return lines.format() ?? exception.message;
}

function tellResponse(response: Members, lines: FaultLines): void {
  const issues = findIssues(response);
  if (issues !== undefined) return lines.add(issues);
  const names = readNames(response);
  for (const name of names) {
    const value = readMember(response, name);
    if (typeof value === 'string' && (HEADINGS.has(name) || isOwnError(name, value))) lines.addHeading(value);
  }
  for (const name of names) tellMember(name, readMember(response, name), lines);
}

/** A schema library keeps its issues in an error that shows them as one text, or does not show them. */
function findIssues(response: Members): readonly unknown[] | undefined {
  const issues = response instanceof Error ? readMember(response, 'issues') : undefined;
  return Array.isArray(issues) && issues.length > 0 ? issues : undefined;
}

function tellMember(name: string, value: unknown, lines: FaultLines): void {
  if (typeof value === 'string' && (HEADINGS.has(name) || name === 'error')) return;
  if (isRoutine(name, value)) return;
  if (name === 'error' && isObject(value)) return tellResponse(value, lines);
  if (COLLECTIONS.has(name)) lines.add(value);
  else lines.add(value, name);
}

/** Tells whether a member only repeats the status, or says where and when. */
function isRoutine(name: string, value: unknown): boolean {
  if (name === 'status' || name === 'statusCode') return /^(?:\d+|fail|error)$/.test(String(value));
  if (name === 'success' || name === 'ok') return typeof value === 'boolean';
  // Of problem details, it is the URI of a page; elsewhere, of the route.
  if (name === 'type' || name === 'path' || name === 'url') return /^about:|\//.test(String(value));
  return ROUTINE.has(name);
}

/** Nest gives the name of the status as the error. */
function isOwnError(name: string, text: string): boolean {
  const key = text.replaceAll(/[^a-z]+/gi, '_').toUpperCase();
  return name === 'error' && !(key in HttpStatus) && key !== 'I_M_A_TEAPOT';
}

/** What an exception keeps to itself is told only if it is a pipe's: the errors of class-validator. */
function tellKept(exception: HttpException, lines: FaultLines): void {
  const kept = readMember(exception, 'errors');
  if (!Array.isArray(kept)) return;
  lines.add(kept.filter((error) => isObject(error) && typeof error['property'] === 'string'));
}

/** More than a model or a person reads. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1000;
const MOST_CHARACTERS_OF_HEADING = 10_000;

/** What an application may nest, and what there may be to look through, until nothing more is told. */
const MOST_LEVELS = 8;
const MOST_VALUES = 1000;

/** The members by which libraries and applications say what is wrong with a field, in the order in which they are taken. */
const TEXTS = ['message', 'reason', 'detail', 'msg', 'title'];

/** The members by which they say which field it is. */
const LOCATIONS = [
  ...['path', 'field', 'pointer', 'source', 'param', 'parameter', 'loc', 'instancePath', 'dataPath'],
  ...['property', 'attribute', 'key', 'name'],
];

/** Members that more is nested in, which have no name of their own for a reader. */
const NESTING: ReadonlySet<string> = new Set(['_errors', 'errors', 'fieldErrors', 'formErrors']);

/** What libraries say of an issue beside its text. */
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

/** Where a value stands. */
interface Place {
  /** Names of fields, with dots between them; empty at the top. */
  readonly path: string;
  readonly level: number;
  /** Whether the value has a name, or stands in a list: what does may be one fault. */
  readonly isInside: boolean;
}

/** What an exception says, a line for each fault. Whatever the values are, it takes a bounded time and never throws. */
class FaultLines {
  readonly #headings: string[] = [];
  readonly #lines: string[] = [];
  #values = 0;

  /** How many faults there are so far. */
  get count(): number {
    return this.#lines.length;
  }

  /** Adds a text that stands before the faults. */
  addHeading(text: string): void {
    if (text.trim() !== '') this.#headings.push(cut(text, MOST_CHARACTERS_OF_HEADING));
  }

  /**
   * Adds the faults in a value: a text, a list, a map of fields to any of these, or an issue of a library.
   *
   * @param path the field; empty if the value says itself which it is
   */
  add(value: unknown, path = ''): void {
    this.#visit(value, { path, level: 0, isInside: path !== '' });
  }

  /** Returns the text; nothing without a line. */
  format(): string | undefined {
    const all = [...this.#headings, ...this.#lines];
    return all.length === 0 ? undefined : all.join('\n');
  }

  #visit(value: unknown, place: Place): void {
    this.#values += 1;
    if (this.#isFull || place.level > MOST_LEVELS) return;
    const shown = readShown(value);
    if (Array.isArray(shown)) this.#visitList(shown, place);
    else if (isObject(shown)) this.#visitObject(shown, place);
    else this.#tell(shown, place.path);
  }

  get #isFull(): boolean {
    return this.#lines.length >= MOST_LINES || this.#values > MOST_VALUES;
  }

  #visitList(list: readonly unknown[], { path, level }: Place): void {
    for (const [index, member] of list.entries()) {
      if (this.#isFull) return;
      const isNumbered = path !== '' && isObject(member) && !isFault(member);
      const own = isNumbered ? `${path}.${index}` : path;
      this.#visit(member, { path: own, level: level + 1, isInside: true });
    }
  }

  #visitObject(object: Members, place: Place): void {
    const { path, level } = place;
    if (isValidationError(object)) return this.#visitValidationError(object, place);
    const issue = place.isInside ? findIssue(object) : undefined;
    if (issue !== undefined) {
      const within = join(path, issue.location);
      this.#visitList(issue.texts, { path: within, level, isInside: true });
      return this.#visit(readMember(object, 'errors'), { path: within, level: level + 1, isInside: true });
    }
    const isTree = Array.isArray(readMember(object, 'errors'));
    for (const name of readNames(object)) {
      if (this.#isFull) return;
      const isNesting = NESTING.has(name) || (isTree && (name === 'properties' || name === 'items'));
      const own = isNesting ? path : join(path, name);
      this.#visit(readMember(object, name), { path: own, level: level + 1, isInside: own !== '' });
    }
  }

  /** Its inner ones have the names of the outer in front, as Nest writes them. */
  #visitValidationError(error: Members, { path, level }: Place): void {
    const prefix = path === '' ? '' : `${path}.`;
    const constraints = readMember(error, 'constraints');
    for (const name of isObject(constraints) ? readNames(constraints) : []) {
      const text = readMember(constraints as Members, name);
      if (typeof text === 'string') this.#tell(`${prefix}${text}`, '');
    }
    const within = `${prefix}${String(readMember(error, 'property'))}`;
    this.#visit(readMember(error, 'children'), { path: within, level: level + 1, isInside: true });
  }

  #tell(value: unknown, path: string): void {
    const isWord = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
    // A number alone says nothing.
    if (typeof value !== 'string' && !(isWord && path !== '')) return;
    const text = String(value).replaceAll(/\s+/g, ' ').trim();
    if (text === '' || this.#isFull) return;
    this.#lines.push(cut(path === '' ? text : `${path}: ${text}`, MOST_CHARACTERS));
  }
}

/** Reads a member that JSON would show. A getter may throw. */
function readMember(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return undefined;
  }
}

/** Reads the names of the members that JSON would show. */
function readNames(object: object): readonly string[] {
  try {
    return Object.keys(object);
  } catch {
    return [];
  }
}

/** Returns what JSON would show of a value. */
function readShown(value: unknown): unknown {
  const toJson = typeof value === 'object' && value !== null ? readMember(value, 'toJSON') : undefined;
  if (typeof toJson !== 'function') return value;
  try {
    return Reflect.apply(toJson, value, ['']);
  } catch {
    return undefined;
  }
}

interface Issue {
  readonly texts: readonly string[];
  /** The field; empty if it is the whole. */
  readonly location: string;
}

function isFault(object: Members): boolean {
  return isValidationError(object) || findIssue(object) !== undefined;
}

/** Tells whether an object is an error of class-validator. */
function isValidationError(object: Members): boolean {
  const isOfField = typeof readMember(object, 'property') === 'string';
  return (
    isOfField &&
    (isObject(readMember(object, 'constraints')) || Array.isArray(readMember(object, 'children')))
  );
}

/** Finds what an object says of one field. An object without a text, or with other texts, is a map of fields. */
function findIssue(object: Members): Issue | undefined {
  const names = readNames(object);
  const said = TEXTS.filter((name) => names.includes(name)).map((name) =>
    readTexts(readMember(object, name)),
  );
  const texts = said.find((found) => found.length > 0);
  if (texts === undefined) return undefined;
  const location = LOCATIONS.filter((name) => names.includes(name))
    .map((name) => readLocation(readMember(object, name)))
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

/** Reads names one by one, or in a text: with dots, or as a JSON pointer (RFC 6901). */
function readLocation(value: unknown): string | undefined {
  if (typeof value === 'string') return /^#?\//.test(value) ? readPointer(value) : value;
  if (isObject(value)) return readLocation(readMember(value, 'pointer') ?? readMember(value, 'parameter'));
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

/** Valibot and Standard Schema have objects with a key. */
function readSegment(segment: unknown): string {
  const key = isObject(segment) ? readMember(segment, 'key') : segment;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

/** A library may repeat the name of the field under which the issue stands. */
function join(path: string, name: string): string {
  if (name === '' || path === name || path.endsWith(`.${name}`)) return path;
  return path === '' ? name : `${path}.${name}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
