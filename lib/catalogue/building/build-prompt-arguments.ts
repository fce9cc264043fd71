import type { PromptArgument } from '../../protocol/definitions.js';
import { isObject } from '../../protocol/json-rpc.js';
import { compileSchema } from '../../schema/compile-schema.js';
import type { CompiledSchema } from '../../schema/compiled-schema.interface.js';
import type { PromptOptions } from '../../settings/handler-options.interface.js';
import type { JsonSchema, SchemaSource } from '../../settings/schema-source.interface.js';
import { CatalogueError } from '../catalogue.error.js';
import { assertText } from './assert-options.js';

/** The arguments of a prompt as lists show them, with the schema they came from, if any. */
export interface PromptArguments {
  readonly arguments?: readonly PromptArgument[];
  readonly input?: CompiledSchema;
}

/**
 * Builds the arguments of a prompt from a plain list or from the properties of a schema.
 *
 * @throws {CatalogueError} when the list cannot be used
 * @throws {SchemaError} when the schema cannot be used
 */
export function buildPromptArguments(given: PromptOptions['arguments']): PromptArguments {
  if (given === undefined) return {};
  if (isList(given)) return { arguments: assertArguments(given) };
  const input = compileSchema(given, 'input');
  return { arguments: listArguments(input.jsonSchema), input };
}

function isList(given: readonly PromptArgument[] | SchemaSource): given is readonly PromptArgument[] {
  return Array.isArray(given);
}

function assertArguments(given: readonly PromptArgument[]): readonly PromptArgument[] {
  const names = new Set<string>();
  for (const { name } of given) {
    assertText('arguments[].name', name);
    if (names.has(name)) throw CatalogueError.duplicate(`argument "${name}"`);
    names.add(name);
  }
  return given;
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

function selectTexts(property: unknown): Pick<PromptArgument, 'title' | 'description'> {
  if (!isObject(property)) return {};
  const { title, description } = property;
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
}
