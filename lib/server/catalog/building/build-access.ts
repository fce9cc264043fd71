import { explainError } from '../../../core/log/describe-failure.js';
import { isScope, isScopeTemplate, mergeScopes, ScopeTemplate } from '../../../core/oauth/scope.js';
import type { AccessOptions, ConcurrencyOptions } from '../../settings/handler-options.interface.js';
import type { ScopeFunction, ScopeRequirement } from '../../settings/scoped-call.interface.js';
import { CatalogError } from '../catalog.error.js';
import type { Access, CatalogEntry } from '../entries.js';
import { DynamicScopes } from '../scopes/dynamic-scopes.js';
import { suggestOption } from '../../../core/checks/suggest-names.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { findListedProperty } from '../../schema/listed-properties.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import {
  assertProperties,
  type Check,
  fail,
  milliseconds,
  positive,
} from '../../../core/checks/option-checks.js';
import { resultBytes as checkResultBytes } from '../../settings/limit-options.js';

/**
 * Builds an entry's access. The result is empty if its options do not set it.
 *
 * @throws {CatalogError} if a scope is invalid, or a public entry requires one
 */
export function buildAccess({ requiredScopes = [], isPublic = false }: AccessOptions): {
  readonly access?: Access;
} {
  if (!Array.isArray(requiredScopes) || !requiredScopes.every(isRequirement)) {
    throw CatalogError.invalid(
      'The option "requiredScopes" must be an array of scopes such as "desk:write", without spaces, of templates such as "desk:{id}:write", or of functions that return scopes',
    );
  }
  if (typeof isPublic !== 'boolean') {
    throw CatalogError.invalid('The option "isPublic" must be true or false');
  }
  if (isPublic && requiredScopes.length > 0) {
    throw CatalogError.invalid(
      'It cannot be public and require scopes: remove @Public() or @RequireScope() ("isPublic" or "requiredScopes")',
    );
  }
  if (!isPublic && requiredScopes.length === 0) return {};
  return { access: { isPublic, ...buildScopes(requiredScopes) } };
}

/** Separates fixed scopes from scopes that depend on the call. */
export function buildScopes(requirements: readonly ScopeRequirement[]): Pick<Access, 'scopes' | 'dynamic'> {
  const texts = requirements.filter((one) => typeof one === 'string');
  const functions = requirements.filter((one): one is ScopeFunction => typeof one === 'function');
  const templates = texts.filter(isScopeTemplate).map(buildTemplate);
  const scopes = mergeScopes(texts.filter((one) => !isScopeTemplate(one)));
  if (templates.length + functions.length === 0) return { scopes };
  return { scopes, dynamic: new DynamicScopes(templates, functions) };
}

function buildTemplate(text: string): ScopeTemplate {
  try {
    return new ScopeTemplate(text);
  } catch (error) {
    throw CatalogError.invalid(explainError(error), error);
  }
}

/** Malformed templates are reported when they are built. */
function isRequirement(one: unknown): one is ScopeRequirement {
  return typeof one === 'function' || isScope(one) || (typeof one === 'string' && isScopeTemplate(one));
}

/** Where scope templates get their values. */
export interface ScopeVariables {
  /** Names the variables' source in error messages, for example `the URI template`. */
  readonly source: string;
  readonly names: readonly string[];
  /** Returns whether a value exists under a name or a path of names. @default only names exist */
  has?(variable: string): boolean;
}

/**
 * Checks that an entry's arguments have the properties that its scope templates use.
 *
 * @throws {CatalogError} that names the first missing variable
 */
export function assertScopeVariables(access: Access | undefined, known: ScopeVariables): void {
  for (const variable of access?.dynamic?.variables ?? []) {
    if (known.has?.(variable) ?? known.names.includes(variable)) continue;
    throw CatalogError.noScopeVariable(variable, known, suggestOption(variable, known.names));
  }
}

/** Finds the values that arguments with a schema can provide for scopes. */
export function listSchemaVariables(schema: JsonSchema, source: string): ScopeVariables {
  const { properties } = schema;
  return {
    source,
    names: isObject(properties) ? Object.keys(properties) : [],
    has: (variable) => hasPlainMember(schema, variable.split('.')),
  };
}

/** A scope can contain strings, numbers and booleans. A schema may leave a property's type or presence open. */
function hasPlainMember(schema: JsonSchema, path: readonly string[]): boolean {
  const member = findListedProperty(schema, path);
  if (member === undefined) return isOpen(schema);
  return member.types.length === 0 || !member.types.every((type) => type === 'object' || type === 'array');
}

function isOpen({ additionalProperties, patternProperties }: JsonSchema): boolean {
  return additionalProperties === true || isObject(additionalProperties) || isObject(patternProperties);
}

/** The options that set limits. */
export interface LimitedOptions {
  readonly concurrency?: ConcurrencyOptions | undefined;
  readonly resultBytes?: number | undefined;
}

/** Checks the limits on concurrent calls. */
export const concurrencyCheck: Check = (option, value) => {
  assertProperties(option, value, { maxPerCaller: positive, max: positive, queue });
  const { maxPerCaller, max } = value as ConcurrencyOptions;
  if (maxPerCaller === undefined && max === undefined)
    fail(option, 'must have "max", "maxPerCaller" or both');
};

const queue: Check = (option, value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return;
  if (typeof value === 'number') fail(option, 'must be a whole number, 0 or greater');
  assertProperties(option, value, { length: positive, timeoutMs: milliseconds });
};

/**
 * Builds an entry's limits. The result is empty if its options do not set them.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function buildLimits({
  concurrency,
  resultBytes,
}: LimitedOptions): Pick<CatalogEntry, 'concurrency' | 'resultBytes'> {
  if (concurrency !== undefined) concurrencyCheck('concurrency', concurrency);
  if (resultBytes !== undefined) checkResultBytes('resultBytes', resultBytes);
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(resultBytes !== undefined && { resultBytes }),
  };
}
