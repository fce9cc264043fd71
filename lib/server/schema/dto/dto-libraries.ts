import { createRequire } from 'node:module';
import type * as ClassTransformer from 'class-transformer';
import type { MetadataStorage as TransformationStorage } from 'class-transformer/types/MetadataStorage.js';
import type * as ClassValidator from 'class-validator';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { SchemaError } from '../schema.error.js';

export type { ValidationError } from 'class-validator';
export type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

/** What `@JSONSchema()` of `class-validator-jsonschema` may hold: keywords to add, or a function that gives them all. */
export type Decoration = JsonSchema | ((schema: JsonSchema, options: object) => JsonSchema);

/** By which member `@Type()` tells subtypes apart. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: DtoClass }[];
}

/** The packages that a DTO class needs; they are optional peers, so that nobody loads them who has no such class. */
export interface DtoLibraries {
  readonly validator: typeof ClassValidator;
  readonly transformer: typeof ClassTransformer;
  readonly transformations: TransformationStorage;
  /** Finds what `@JSONSchema()` says of a class or of its property. */
  readonly findDecoration: (target: DtoClass, name: string) => Decoration | undefined;
}

/**
 * Loads the packages a DTO class needs.
 *
 * @param from address of the module the packages are looked for from
 * @throws {SchemaError} when `class-validator` or `class-transformer` is not installed
 */
export function loadDtoLibraries(
  source: DtoClass,
  direction: SchemaDirection,
  from: string | URL = import.meta.url,
): DtoLibraries {
  const require = createRequire(from);
  try {
    return {
      validator: require('class-validator') as typeof ClassValidator,
      transformer: require('class-transformer') as typeof ClassTransformer,
      transformations: (
        require('class-transformer/cjs/storage.js') as { defaultMetadataStorage: TransformationStorage }
      ).defaultMetadataStorage,
      findDecoration: loadDecorations(require),
    };
  } catch (cause) {
    if (isNotFound(cause)) throw SchemaError.missingPackages(direction, source.name, cause);
    throw cause;
  }
}

/** Without the third package nobody can have written `@JSONSchema()`, so it is not asked for. */
function loadDecorations(require: NodeJS.Require): DtoLibraries['findDecoration'] {
  try {
    const { getMetadataSchema } = require('class-validator-jsonschema/build/decorators.js') as {
      getMetadataSchema: (target: object, name: string) => Decoration | undefined;
    };
    return (target, name) => getMetadataSchema(target.prototype as object, name);
  } catch (cause) {
    if (isNotFound(cause)) return () => undefined;
    throw cause;
  }
}

function isNotFound(cause: unknown): boolean {
  return isObject(cause) && cause['code'] === 'MODULE_NOT_FOUND';
}
