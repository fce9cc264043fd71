import { isObject } from '../../../core/protocol/json-rpc.js';
import { buildGraphqlSchema, findArgumentDescriptions } from '../../schema/graphql/build-graphql-schema.js';
import { findOperationDescription, loadGraphqlMetadata } from '../../schema/graphql/graphql-metadata.js';
import type { ToolOptions } from '../../settings/handler-options.interface.js';
import type { ToolEntry } from '../entries.js';
import type { Unplaced } from '../registry.js';
import { findSharingPackages } from '../invocation/sharing-packages.js';
import { type ArgumentsType, readFunction, type TypedMethod } from './find-arguments-type.js';

/**
 * Finds what a resolver says of itself as a tool, by its decorators of `@nestjs/graphql`. Options take precedence.
 *
 * @param listClasses gives the classes of the application in its order
 */
export function describeResolver(
  method: TypedMethod,
  type: ArgumentsType,
  listClasses: () => readonly object[],
): Pick<ToolOptions, 'description' | 'inputSchema'> {
  const { classRef, methodName } = method;
  const packages = findSharingPackages(classRef, readFunction(method), false);
  if (packages.every(({ name }) => name !== '@nestjs/graphql')) return {};
  loadGraphqlMetadata(listClasses());
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
