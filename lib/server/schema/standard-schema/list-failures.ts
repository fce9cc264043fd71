import { isObject } from '../../../core/protocol/json-rpc.js';
import type { StandardIssue } from '../../settings/schema-source.interface.js';
import { formatNoAlternative } from '../issue-texts.js';

/** One thing that is wrong, wherever it stood in what the library said. */
export interface Failure {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** To which alternative of a union it belongs; empty if to none. */
  readonly alternative: string;
  /** Whether it only says that no alternative fits, after what each of them wants. */
  readonly isSummary: boolean;
  /** The values that the member may have which tells the alternatives apart. */
  readonly discriminators?: readonly unknown[];
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly alternative: string;
}

/** A part of a union that did not take the value. */
interface Alternative {
  readonly label: string;
  readonly issues: readonly unknown[];
  /** Whether the paths in it begin at the root instead of at the union. */
  readonly isAbsolute?: boolean;
}

/**
 * Lists what is wrong, with what each alternative of a union has against the value before the union itself. Libraries
 * keep this in their own members. Standard Schema has no member for it.
 *
 * @param hasValue tells whether there is a value at a path: the alternatives of one that is missing say nothing
 */
export function* listFailures(
  issues: readonly StandardIssue[],
  hasValue: (path: readonly PropertyKey[]) => boolean,
): Generator<Failure> {
  for (const issue of issues) yield* explain(issue, { path: [], alternative: '' }, hasValue);
}

function* explain(
  issue: unknown,
  place: Place,
  hasValue: (path: readonly PropertyKey[]) => boolean,
): Generator<Failure> {
  const found: Readonly<Record<string, unknown>> = isReference(issue)
    ? (issue as Record<string, unknown>)
    : {};
  const { alternative } = place;
  const path = [...place.path, ...readPath(found['path'])];
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

/** zod tells the bounds of a date in milliseconds. */
function readMessage({ message, origin, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  const text = String(message);
  const bound = minimum ?? maximum;
  if (origin !== 'date' || typeof bound !== 'number' || !Number.isFinite(bound)) return text;
  return text.replace(String(bound), new Date(bound).toISOString());
}

/** arktype: parts of one type that have to fit together. */
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
  // arktype: one error for each alternative. Of values without members its own words tell all that there is to tell.
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

/** zod names the values since 4.5; before, it says nothing of them. */
function findDiscriminators({ discriminator, options }: Readonly<Record<string, unknown>>) {
  if (typeof discriminator !== 'string') return {};
  return { discriminators: Array.isArray(options) ? (options as readonly unknown[]) : [] };
}

function readPath(path: unknown): readonly PropertyKey[] {
  const segments = isReference(path) && Symbol.iterator in path ? [...(path as Iterable<unknown>)] : [];
  return segments.map((segment) => (isObject(segment) ? segment['key'] : segment) as PropertyKey);
}

/** Errors of some libraries are instances of classes, or functions. */
function isReference(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
