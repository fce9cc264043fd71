import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema } from '../compiled-schema.interface.js';

/** Where @nestjs/swagger keeps what its decorators and its plugin say. It need not be installed: nothing is there then. */
const PROPERTY_METADATA = 'swagger/apiModelProperties';
const CLASS_METADATA = 'swagger/apiSchema';
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** Asked at each call: another copy of `reflect-metadata` may have been loaded since this file was. */
const metadata = Reflect as {
  getMetadata?: (key: string, of: object, property: string) => unknown;
  getOwnMetadata?: (key: string, of: object) => unknown;
};

/** Finds the options of `@ApiProperty()` on a property. The plugin of the Nest CLI may fill in missing ones. */
export function findSwaggerProperty(target: DtoClass, property: string): JsonSchema {
  const written = metadata.getMetadata?.(PROPERTY_METADATA, target.prototype as object, property);
  return { ...findPluginProperty(target, property), ...(isObject(written) ? written : {}) };
}

/** The class that is nearest tells, as with all that is inherited. */
function findPluginProperty(target: unknown, property: string): JsonSchema {
  if (typeof target !== 'function') return {};
  const factory: unknown = Object.hasOwn(target, PLUGIN_FACTORY)
    ? Reflect.get(target, PLUGIN_FACTORY)
    : undefined;
  const described: unknown = typeof factory === 'function' ? factory.call(target) : undefined;
  const found = isObject(described) ? described[property] : undefined;
  return isObject(found) ? found : findPluginProperty(Object.getPrototypeOf(target), property);
}

/** Finds the description that `@ApiSchema()` gives a class. */
export function findSwaggerDescription(target: DtoClass): string | undefined {
  const found = metadata.getOwnMetadata?.(CLASS_METADATA, target);
  const described: readonly unknown[] = Array.isArray(found) ? found : [];
  return described
    .map((one) => (isObject(one) ? one['description'] : undefined))
    .findLast((text): text is string => typeof text === 'string');
}
