import { isObject } from '../../../core/protocol/json-rpc.js';
import { buildGraphqlSchema, findArgumentDescriptions } from '../../schema/graphql/build-graphql-schema.js';
import { findOperationDescription } from '../../schema/graphql/graphql-metadata.js';
import type { ToolOptions } from '../../settings/handler-options.interface.js';
import type { ToolEntry } from '../entries.js';
import type { Unplaced } from '../registry.js';
import type { ArgumentsType, TypedMethod } from './find-arguments-type.js';

/** Finds what a resolver says of itself as a tool, by its decorators of `@nestjs/graphql`. Options take precedence. */
export function describeResolver(
  { classRef, methodName }: TypedMethod,
  type: ArgumentsType,
): Pick<ToolOptions, 'description' | 'inputSchema'> {
  const description = findOperationDescription(classRef, methodName);
  const inputSchema = type.undescribed && buildGraphqlSchema(classRef, methodName);
  return {
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
  };
}

/** Adds the descriptions of `@Args()` to the arguments of a tool that have none. */
export function addArgumentDescriptions(
  entry: Unplaced<ToolEntry>,
  { classRef, methodName }: TypedMethod,
): Unplaced<ToolEntry> {
  const descriptions = findArgumentDescriptions(classRef, methodName);
  const { definition } = entry;
  const { properties } = definition.inputSchema;
  if (descriptions.size === 0 || !isObject(properties)) return entry;
  const described = Object.entries(properties).map(([name, schema]) => {
    const description = descriptions.get(name);
    const isAdded = description !== undefined && isObject(schema) && schema['description'] === undefined;
    return [name, isAdded ? { ...schema, description } : schema] as const;
  });
  const inputSchema = Object.freeze({ ...definition.inputSchema, properties: Object.fromEntries(described) });
  return { ...entry, definition: { ...definition, inputSchema } };
}
