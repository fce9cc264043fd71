import { isObject } from '../../../core/protocol/json-rpc.js';
import type { StandardIssue } from '../../settings/schema-source.interface.js';
import type { JsonSchema, ValidationIssue } from '../compiled-schema.interface.js';
import { describeValue } from '../describe-value.js';
import { findListedObject } from '../find-listed-object.js';
import { findMember } from '../find-member.js';
import {
  formatExpected,
  formatList,
  formatMissing,
  formatNoDate,
  formatUnknownName,
} from '../issue-texts.js';
import { MOST_ISSUES } from '../most-issues.js';
import { findListedMember } from './find-listed-member.js';
import { isIsoText } from '../dates/is-iso-text.js';
import { listFailures, type Failure } from './list-failures.js';

const LONGEST_MESSAGE = 2_000;
const MOST_KEYS = 20;

/** What came is in the words of most libraries: "received", "but was", "got". */
const TELLS_WHAT_CAME = /\b(?:received|was|got)\b/i;

/**
 * Turns the issues of a library into ours. Ours say what each alternative of a union wants. They also say what came and which
 * known name is closest, if the library's words leave that out.
 */
export function buildStandardIssues(
  issues: readonly StandardIssue[],
  value: unknown,
  schema: JsonSchema,
): ValidationIssue[] {
  const found: ValidationIssue[] = [];
  for (const failure of listFailures(issues, (path) => findMember(value, path) !== undefined)) {
    found.push({ path: formatPath(failure.path), message: formatMessage(failure, value, schema) });
    if (found.length === MOST_ISSUES) break;
  }
  return found;
}

function formatMessage(failure: Failure, value: unknown, schema: JsonSchema): string {
  const { path, alternative, isSummary, discriminators } = failure;
  if (isSummary) return `${failure.message}${alternative}`;
  const place = { path, value, schema, isAlternative: alternative !== '' };
  if (discriminators !== undefined) return formatDiscriminator(discriminators, place);
  const message = cutPath(failure.message.slice(0, LONGEST_MESSAGE), path);
  return `${complete(message, place)}${alternative}`;
}

/** The member that tells the alternatives apart has none of their values. */
function formatDiscriminator(named: readonly unknown[], { path, value, schema }: Place): string {
  const { values = [] } = findListedMember(schema, path) ?? {};
  const allowed = `one of ${formatList(named.length > 0 ? named : values)}`;
  const received = findMember(value, path);
  return received === undefined ? formatMissing(allowed) : formatExpected(allowed, received);
}

interface Place {
  /** Whether what an alternative of a union wants is missing in it. */
  readonly isAlternative: boolean;
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  readonly schema: JsonSchema;
}

/** Some libraries begin their message with the path, which stands before it anyway. */
function cutPath(message: string, path: readonly PropertyKey[]): string {
  const written = path.map((segment) =>
    typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`,
  );
  const start = `${written.join('').replace(/^\./, '')} `;
  return path.length > 0 && message.startsWith(start) ? message.slice(start.length) : message;
}

function complete(message: string, place: Place): string {
  const unknown = findUnknownName(message, place);
  if (unknown !== undefined) return unknown;
  const received = findMember(place.value, place.path);
  if (typeof received === 'string' && wantsDate(received, place)) return formatNoDate(received);
  if (received === undefined && isRequired(place)) return `${formatMissing()}: ${message}`;
  const isShown = received !== undefined && typeof received !== 'object';
  return isShown && !TELLS_WHAT_CAME.test(message)
    ? `${message}, received ${describeValue(received)}`
    : message;
}

/** In the words of libraries a date is no text. */
function wantsDate(received: string, { path, schema }: Place): boolean {
  return findListedMember(schema, path)?.isDate === true && !isIsoText(received);
}

function isRequired({ path, schema, isAlternative }: Place): boolean {
  if (isAlternative) return true;
  return (
    path.length > 0 && findListedObject(schema, path.slice(0, -1))?.required.includes(path.at(-1)) === true
  );
}

/** An unknown name is either the end of the path or, with the path of its object, quoted in the message. */
function findUnknownName(message: string, { path, value, schema }: Place): string | undefined {
  const last = path.at(-1);
  const outer = typeof last === 'string' ? findListedObject(schema, path.slice(0, -1)) : undefined;
  if (typeof last === 'string' && outer?.isClosed && !outer.names.includes(last)) {
    return formatUnknownName(last, outer.names);
  }
  const object = findMember(value, path);
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
