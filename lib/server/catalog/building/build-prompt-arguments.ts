import type { PromptArgument } from '../../../core/protocol/definitions.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { compileSchema } from '../../schema/compile-schema.js';
import type { CompiledSchema } from '../../schema/compiled-schema.interface.js';
import { hasStandardSchema } from '../../schema/json.js';
import type { PromptOptions } from '../../settings/handler-options.interface.js';
import type { JsonSchema, SchemaSource } from '../../settings/schema-source.interface.js';
import { CatalogError } from '../catalog.error.js';
import { flattenRoot } from '../listing/flatten-root.js';
import { listValues } from '../listing/schema-alternatives.js';
import { assertText } from './handler-option-checks.js';

/** A prompt's arguments in their listed form, with their schema if there is one. */
export interface PromptArguments {
  readonly arguments?: readonly PromptArgument[];
  readonly input?: CompiledSchema;
  /** The allowed values of each argument that accepts only listed values. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Builds a prompt's arguments from a plain list or from schema properties.
 *
 * @throws {CatalogError} if the list is invalid, or if no client can supply an argument
 * @throws {SchemaError} if the schema cannot be used
 */
export function buildPromptArguments(given: PromptOptions['arguments']): PromptArguments {
  if (given === undefined) return {};
  if (isList(given)) return { arguments: assertArguments(given) };
  const input = compileSchema(given, 'input');
  if (!isConverting(given)) assertStrings(input.jsonSchema);
  const listed = flattenRoot(input.jsonSchema);
  return { arguments: listArguments(listed), input, ...listArgumentValues(listed) };
}

function isList(given: readonly PromptArgument[] | SchemaSource): given is readonly PromptArgument[] {
  return Array.isArray(given);
}

function assertArguments(given: readonly PromptArgument[]): readonly PromptArgument[] {
  const names = new Set<string>();
  for (const { name } of given) {
    assertText('arguments[].name', name);
    if (names.has(name)) throw CatalogError.duplicate(`argument "${name}"`);
    names.add(name);
  }
  return given;
}

/** A library or a class may convert a string before it validates it, even if its JSON Schema differs. */
function isConverting(given: SchemaSource): boolean {
  return typeof given === 'function' || hasStandardSchema(given);
}

/** An argument of another type would always be refused (MCP server/prompts: arguments are strings). */
function assertStrings({ properties }: JsonSchema): void {
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const types: readonly unknown[] = isObject(property) ? [property['type'] ?? 'string'].flat() : [];
    if (types.length === 0 || types.includes('string')) continue;
    throw CatalogError.invalid(
      `The option "arguments" defines "${name}" as ${types.map((type) => `"${String(type)}"`).join(' or ')}, but clients send prompt arguments as strings: use "string" and parse the value in the handler, or use a schema that converts it, such as "z.coerce.number()"`,
    );
  }
}

function listArguments({ properties, required }: JsonSchema): readonly PromptArgument[] {
  if (!isObject(properties)) return [];
  const requiredNames: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    ...selectTexts(property),
    required: requiredNames.includes(name),
  }));
}

function listArgumentValues({ properties }: JsonSchema): Pick<PromptArguments, 'values'> {
  if (!isObject(properties)) return {};
  const listed = Object.entries(properties).map(([name, property]) => [name, listTexts(property)] as const);
  const values = new Map(listed.filter(([, texts]) => texts.length > 0));
  return values.size > 0 ? { values } : {};
}

/** Returns the strings of an `enum` or a union of values, or an empty list if other strings are accepted too. */
function listTexts(schema: unknown): readonly string[] {
  const { anyOf, oneOf } = isObject(schema) ? schema : {};
  const union = anyOf ?? oneOf;
  const parts: readonly unknown[] = Array.isArray(union) ? union : [schema];
  const values = parts.map(listValues);
  if (values.some(({ length }) => length === 0)) return [];
  return [...new Set(values.flat())].filter((value) => typeof value === 'string');
}

function selectTexts(property: unknown): Pick<PromptArgument, 'title' | 'description'> {
  if (!isObject(property)) return {};
  const { title, description } = property;
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
}
