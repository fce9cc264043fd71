import { isObject } from '../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema, SchemaDirection } from '../../server/schema/compiled-schema.interface.js';
import {
  addSwaggerKeywords,
  findSwaggerClass,
  findSwaggerDescription,
  findSwaggerProperty,
  isSwaggerList,
} from '../../server/schema/dto/swagger.js';

/** The metadata keys of `@nestjs/swagger` and its plugin. */
const PROPERTIES_METADATA = 'swagger/apiModelPropertiesArray';
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** Deeper classes are not described. */
const MOST_LEVELS = 12;

/** Returns whether a class has properties that `@ApiProperty()` or the plugin describes. */
export function isSwaggerClass(type: unknown): type is DtoClass {
  return (
    typeof type === 'function' && isObject(type.prototype) && listProperties(type as DtoClass).length > 0
  );
}

/** Describes a class without validators from its `@ApiProperty()` decorators. A recursive class is left open at the point of recursion. */
export function describeSwaggerClass(
  target: DtoClass,
  direction: SchemaDirection,
  outer: readonly DtoClass[] = [],
): JsonSchema {
  if (outer.includes(target) || outer.length > MOST_LEVELS) return { type: 'object' };
  const described = listProperties(target).map((name) => {
    const swagger = findSwaggerProperty(target, name);
    const schema = describeProperty(swagger, direction, [...outer, target]);
    const given = typeof swagger['name'] === 'string' && swagger['name'] !== '' ? swagger['name'] : name;
    return { name: given, schema, isRequired: swagger['required'] !== false };
  });
  const required = described.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const description = findSwaggerDescription(target);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

function describeProperty(
  swagger: JsonSchema,
  direction: SchemaDirection,
  outer: readonly DtoClass[],
): JsonSchema {
  const inner = findSwaggerClass(swagger);
  const nested =
    inner !== undefined && isSwaggerClass(inner) ? describeSwaggerClass(inner, direction, outer) : {};
  const start = isSwaggerList(swagger) && inner !== undefined ? { type: 'array', items: nested } : nested;
  const described = addSwaggerKeywords(start, swagger, direction);
  // Databases return "null" for optional values.
  const isNullable =
    swagger['nullable'] === true || (direction === 'output' && swagger['required'] === false);
  return isNullable ? { anyOf: [described, { type: 'null' }] } : described;
}

/** Lists the described properties of a class and its base classes, each once. */
function listProperties(target: DtoClass): readonly string[] {
  const prototype = target.prototype as object;
  const decorated: unknown = Reflect.getMetadata(PROPERTIES_METADATA, prototype);
  const names = (Array.isArray(decorated) ? (decorated as readonly string[]) : []).map((name) =>
    name.replace(/^:/, ''),
  );
  return [...new Set([...listPluginProperties(target), ...names])];
}

function listPluginProperties(target: unknown): readonly string[] {
  if (typeof target !== 'function' || target === Function.prototype) return [];
  const factory: unknown = Object.hasOwn(target, PLUGIN_FACTORY)
    ? Reflect.get(target, PLUGIN_FACTORY)
    : undefined;
  const described: unknown = typeof factory === 'function' ? factory.call(target) : {};
  return [...listPluginProperties(Object.getPrototypeOf(target)), ...Object.keys(described as object)];
}
