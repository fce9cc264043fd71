import { isObject } from '../../../core/protocol/json-rpc.js';
import type { StandardIssue } from '../../settings/schema-source.interface.js';
import type { JsonSchema, ValidationIssue } from '../compiled-schema.interface.js';
import {
  describeValue,
  formatExpected,
  formatList,
  formatMissing,
  formatNoDate,
  formatUnknownName,
  MOST_ISSUES,
  formatNoAlternative,
} from '../validation-issues.js';
import { findListedObject, findListedProperty } from '../listed-properties.js';
import { findByPath } from '../json.js';
import { isIsoText } from '../date-reader.js';

const LONGEST_MESSAGE = 2_000;
const MOST_KEYS = 20;

/** Most libraries name the received value with one of these words. */
const NAMES_RECEIVED = /\b(?:received|was|got)\b/i;

/**
 * Converts a library's issues. The result describes the expectations of each alternative of a union, and adds the
 * received value and the closest known name if the library omits them.
 */
export function buildStandardIssues(
  issues: readonly StandardIssue[],
  value: unknown,
  schema: JsonSchema,
): ValidationIssue[] {
  const found: ValidationIssue[] = [];
  for (const failure of listFailures(issues, (path) => findByPath(value, path) !== undefined)) {
    found.push({ path: formatPath(failure.path), message: formatMessage(failure, value, schema) });
    if (found.length === MOST_ISSUES) break;
  }
  return found;
}

function formatMessage(failure: Failure, value: unknown, schema: JsonSchema): string {
  const { path, alternative, isSummary, discriminators } = failure;
  if (isSummary) return `${failure.message}${alternative}`;
  const location = { path, value, schema, isAlternative: alternative !== '' };
  if (discriminators !== undefined) return formatDiscriminator(discriminators, location);
  const message = cutPath(failure.message.slice(0, LONGEST_MESSAGE), path);
  return `${complete(message, location)}${alternative}`;
}

/** The discriminator does not have a known value. */
function formatDiscriminator(named: readonly unknown[], { path, value, schema }: IssueLocation): string {
  const { values = [] } = findListedProperty(schema, path) ?? {};
  const allowed = `one of ${formatList(named.length > 0 ? named : values)}`;
  const received = findByPath(value, path);
  return received === undefined ? formatMissing(allowed) : formatExpected(allowed, received);
}

interface IssueLocation {
  /** Whether a property that a union alternative requires is missing. */
  readonly isAlternative: boolean;
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  readonly schema: JsonSchema;
}

/** Some libraries start their message with the path, which precedes it anyway. */
function cutPath(message: string, path: readonly PropertyKey[]): string {
  const written = path.map((segment) =>
    typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`,
  );
  const start = `${written.join('').replace(/^\./, '')} `;
  return path.length > 0 && message.startsWith(start) ? message.slice(start.length) : message;
}

function complete(message: string, location: IssueLocation): string {
  const unknown = findUnknownName(message, location);
  if (unknown !== undefined) return unknown;
  const received = findByPath(location.value, location.path);
  if (typeof received === 'string' && wantsDate(received, location)) return formatNoDate(received);
  if (received === undefined && isRequired(location)) return `${formatMissing()}: ${message}`;
  const isShown = received !== undefined && typeof received !== 'object';
  return isShown && !NAMES_RECEIVED.test(message)
    ? `${message}, received ${describeValue(received)}`
    : message;
}

/** Libraries reject date strings with "expected date, received string", which does not help the model. */
function wantsDate(received: string, { path, schema }: IssueLocation): boolean {
  return findListedProperty(schema, path)?.isDate === true && !isIsoText(received);
}

function isRequired({ path, schema, isAlternative }: IssueLocation): boolean {
  if (isAlternative) return true;
  return (
    path.length > 0 && findListedObject(schema, path.slice(0, -1))?.required.includes(path.at(-1)) === true
  );
}

/** An unknown name is either the end of the path or, with its object's path, quoted in the message. */
function findUnknownName(message: string, { path, value, schema }: IssueLocation): string | undefined {
  const last = path.at(-1);
  const outer = typeof last === 'string' ? findListedObject(schema, path.slice(0, -1)) : undefined;
  if (typeof last === 'string' && outer?.isClosed && !outer.names.includes(last)) {
    return formatUnknownName(last, outer.names);
  }
  const object = findByPath(value, path);
  const listed = findListedObject(schema, path);
  if (!isObject(object) || !listed?.isClosed) return undefined;
  const quoted = Object.keys(object)
    .filter((name) => !listed.names.includes(name))
    .slice(0, MOST_KEYS)
    .filter((name) => message.includes(JSON.stringify(name)));
  if (quoted.length === 0) return undefined;
  return quoted.map((name) => `${JSON.stringify(name)} ${formatUnknownName(name, listed.names)}`).join('; ');
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** One problem, regardless of where the library reports it. */
interface Failure {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The union alternative that it belongs to; empty if it belongs to none. */
  readonly alternative: string;
  /** Whether it only summarizes that no alternative matches, after the issues of each. */
  readonly isSummary: boolean;
  /** The known values of the discriminator. */
  readonly discriminators?: readonly unknown[];
}

interface FailureLocation {
  readonly path: readonly PropertyKey[];
  readonly alternative: string;
}

/** An alternative of a union that does not match the value. */
interface Alternative {
  readonly label: string;
  readonly issues: readonly unknown[];
  /** Whether its paths start at the root instead of at the union. */
  readonly isAbsolute?: boolean;
}

/**
 * Lists the problems, with the issues of each alternative of a union before the union itself. Libraries report those in
 * custom properties, because Standard Schema has none for them.
 *
 * @param hasValue returns whether there is a value at a path: the alternatives of a missing value are omitted
 */
function* listFailures(
  issues: readonly StandardIssue[],
  hasValue: (path: readonly PropertyKey[]) => boolean,
): Generator<Failure> {
  for (const issue of issues) yield* explain(issue, { path: [], alternative: '' }, hasValue);
}

function* explain(
  issue: unknown,
  location: FailureLocation,
  hasValue: (path: readonly PropertyKey[]) => boolean,
): Generator<Failure> {
  const found: Readonly<Record<string, unknown>> = isReference(issue)
    ? (issue as Record<string, unknown>)
    : {};
  const { alternative } = location;
  const path = [...location.path, ...readPath(found['path'])];
  const all = findConjunction(found);
  if (all !== undefined) {
    for (const inner of all) yield* explain(inner, { path: [], alternative }, hasValue);
    return;
  }
  const alternatives = hasValue(path) ? findAlternatives(found) : [];
  for (const { label, issues, isAbsolute = false } of alternatives) {
    const inside = { path: isAbsolute ? [] : path, alternative: label };
    for (const inner of issues) yield* explain(inner, inside, hasValue);
  }
  const isSummary = alternatives.length > 0;
  const message = isSummary ? formatNoAlternative() : readMessage(found);
  yield { path, message, alternative, isSummary, ...findDiscriminators(found) };
}

/** zod reports a date's limits in milliseconds. */
function readMessage({ message, origin, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  const text = String(message);
  const limit = minimum ?? maximum;
  if (origin !== 'date' || typeof limit !== 'number' || !Number.isFinite(limit)) return text;
  return text.replace(String(limit), new Date(limit).toISOString());
}

/** arktype: parts of one type that must all match. */
function findConjunction({
  code,
  errors,
}: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  return code === 'intersection' && Array.isArray(errors) ? errors : undefined;
}

function findAlternatives(issue: Readonly<Record<string, unknown>>): readonly Alternative[] {
  const { code, kind, errors, issues } = issue;
  // zod: a list of issues for each alternative.
  if (code === 'invalid_union' && Array.isArray(errors)) {
    return errors.map((inner: unknown, at) => ({
      label: number(at),
      issues: Array.isArray(inner) ? inner : [],
    }));
  }
  // arktype: one error for each alternative. For scalars, its own message is sufficient.
  if (code === 'union' && Array.isArray(errors)) {
    if (errors.every((inner) => isOfSamePlace(inner, issue))) return [];
    return errors.map((inner: unknown, at) => ({ label: number(at), issues: [inner], isAbsolute: true }));
  }
  // valibot: the issues of all alternatives in one list.
  if (kind === 'schema' && Array.isArray(issues) && issues.length > 0) {
    return [{ label: ' (in one alternative)', issues }];
  }
  return [];
}

function isOfSamePlace(inner: unknown, union: Readonly<Record<string, unknown>>): boolean {
  const { path, errors } = isReference(inner) ? (inner as Record<string, unknown>) : {};
  return errors === undefined && readPath(path).length === readPath(union['path']).length;
}

function number(at: number): string {
  return ` (alternative ${at + 1})`;
}

/** zod lists the values as of 4.5; earlier versions omit them. */
function findDiscriminators({ discriminator, options }: Readonly<Record<string, unknown>>) {
  if (typeof discriminator !== 'string') return {};
  return { discriminators: Array.isArray(options) ? (options as readonly unknown[]) : [] };
}

function readPath(path: unknown): readonly PropertyKey[] {
  const segments = isReference(path) && Symbol.iterator in path ? [...(path as Iterable<unknown>)] : [];
  return segments.map((segment) => (isObject(segment) ? segment['key'] : segment) as PropertyKey);
}

/** Some libraries' errors are class instances or functions. */
function isReference(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
