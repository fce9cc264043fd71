import { suggestOption } from '../../../core/checks/suggest-option.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { findListedMember } from '../../schema/standard-schema/find-listed-member.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import { CatalogError } from '../catalog.error.js';
import type { Access } from '../entries.js';

/** The sources of values for scope templates. */
export interface ScopeVariables {
  /** What has the variables, for error texts, for example `the URI template`. */
  readonly place: string;
  readonly names: readonly string[];
  /** Tells whether a value can be found by a name, or by a path of names. @default the names alone */
  has?(variable: string): boolean;
}

/**
 * Checks that the arguments of an entry have the members that its scope templates use.
 *
 * @throws {CatalogError} that names the first variable that there is not
 */
export function assertScopeVariables(access: Access | undefined, known: ScopeVariables): void {
  for (const variable of access?.dynamic?.variables ?? []) {
    if (known.has?.(variable) ?? known.names.includes(variable)) continue;
    throw CatalogError.noScopeVariable(variable, known, suggestOption(variable, known.names));
  }
}

/** Finds what the arguments that a schema describes have for scopes. */
export function listSchemaVariables(schema: JsonSchema, place: string): ScopeVariables {
  const { properties } = schema;
  return {
    place,
    names: isObject(properties) ? Object.keys(properties) : [],
    has: (variable) => hasPlainMember(schema, variable.split('.')),
  };
}

/** A scope can contain texts, numbers and booleans. A schema may leave the type or the presence of a member open. */
function hasPlainMember(schema: JsonSchema, path: readonly string[]): boolean {
  const member = findListedMember(schema, path);
  if (member === undefined) return isOpen(schema);
  return member.types.length === 0 || !member.types.every((type) => type === 'object' || type === 'array');
}

function isOpen({ additionalProperties, patternProperties }: JsonSchema): boolean {
  return additionalProperties === true || isObject(additionalProperties) || isObject(patternProperties);
}
