import type { ValidationIssue } from '../compiled-schema.interface.js';
import { describeValue } from '../describe-value.js';
import { findMember } from '../find-member.js';
import { formatMissing, formatNoDate } from '../issue-texts.js';
import { MOST_ISSUES } from '../most-issues.js';
import type { ValidationError } from './dto-libraries.js';

/**
 * Turns the tree of errors of class-validator into a flat list of issues.
 *
 * @param given the value before it became an instance
 * @param isIgnored tells whether an error is about a member that does not matter
 */
export function buildDtoIssues(
  errors: readonly ValidationError[],
  given: unknown,
  isIgnored: (error: ValidationError) => boolean,
): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const issue of flatten(errors, { given, path: [], isIgnored })) {
    issues.push(issue);
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

interface Place {
  readonly given: unknown;
  readonly path: readonly string[];
  readonly isIgnored: (error: ValidationError) => boolean;
}

function* flatten(
  errors: readonly ValidationError[],
  { given, path: outer, isIgnored }: Place,
): Generator<ValidationIssue> {
  for (const error of errors) {
    if (isIgnored(error)) continue;
    const path = error.property === undefined ? outer : [...outer, error.property];
    const messages = listMessages(error, given);
    if (messages.length > 0) yield { path: path.join('.'), message: formatMessages(error, messages, given) };
    yield* flatten(error.children ?? [], { given: findMember(given, [error.property]), path, isIgnored });
  }
}

/** A property that the class itself initialises, without a decorator, is no unknown name that came from outside. */
function listMessages({ constraints = {}, property }: ValidationError, given: unknown): readonly string[] {
  return Object.entries(constraints)
    .filter(([name]) => name !== 'whitelistValidation' || findMember(given, [property]) !== undefined)
    .map(([, message]) => cutProperty(message, property));
}

/** Messages begin with the property, which stands in the path. */
function cutProperty(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

/** A date that class-transformer has made of a text says nothing of the text. */
function formatMessages(error: ValidationError, messages: readonly string[], given: unknown): string {
  const received = findMember(given, [error.property]);
  const isText = typeof received === 'string' && error.constraints?.['isDate'] !== undefined;
  return isText ? formatNoDate(received) : formatMessage(messages.join('; '), error.value);
}

function formatMessage(message: string, value: unknown): string {
  return value === undefined
    ? `${formatMissing()}: ${message}`
    : `${message}, received ${describeValue(value)}`;
}
