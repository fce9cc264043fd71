import { isObject } from '../../../core/protocol/json-rpc.js';
import type { StandardIssue } from '../../settings/schema-source.interface.js';
import type { JsonSchema, ValidationIssue } from '../compiled-schema.interface.js';
import { describeValue } from '../describe-value.js';
import { findListedObject } from '../find-listed-object.js';
import { findMember } from '../find-member.js';
import { formatMissing, formatUnknownName } from '../issue-texts.js';
import { MOST_ISSUES } from '../most-issues.js';

const LONGEST_MESSAGE = 2_000;
const MOST_KEYS = 20;

/** What came is in the words of most libraries: "received", "but was", "got". */
const TELLS_WHAT_CAME = /\b(?:received|was|got)\b/i;

/** Turns the issues of a library into ours, and adds what came and the closest known name where its words leave them out. */
export function buildStandardIssues(
  issues: readonly StandardIssue[],
  value: unknown,
  schema: JsonSchema,
): ValidationIssue[] {
  return issues.slice(0, MOST_ISSUES).map((issue) => {
    const path = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));
    const message = cutPath(issue.message.slice(0, LONGEST_MESSAGE), path);
    return { path: formatPath(path), message: complete(message, { path, value, schema }) };
  });
}

interface Place {
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
  if (received === undefined && isRequired(place)) return `${formatMissing()}: ${message}`;
  const isShown = received !== undefined && typeof received !== 'object';
  return isShown && !TELLS_WHAT_CAME.test(message)
    ? `${message}, received ${describeValue(received)}`
    : message;
}

function isRequired({ path, schema }: Place): boolean {
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
