import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ValidationIssue } from '../compiled-schema.interface.js';
import { formatReservedName } from '../issue-texts.js';
import { MOST_ISSUES } from '../most-issues.js';

const RESERVED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Finds members, at any depth, that have a name of `Object.prototype`. The library class-transformer leaves some of them out
 * without a word, and takes what stands under `constructor` for the class to make.
 */
export function findReservedNames(value: unknown): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const path of walk(value, '')) {
    issues.push({ path, message: formatReservedName() });
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

/** Copies a value of JSON without such members. */
export function copyWithoutReservedNames(value: object): object {
  return JSON.parse(JSON.stringify(value), (name, member: unknown) =>
    RESERVED.has(name) ? undefined : member,
  ) as object;
}

function* walk(value: unknown, path: string): Generator<string> {
  const isNamed = isObject(value);
  if (!isNamed && !Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (isNamed && RESERVED.has(name)) yield inner;
    else yield* walk(member, inner);
  }
}
