import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { findGraphqlFields, findInputTypeDescription } from './graphql-metadata.js';
import { MARK } from '../listing/shown-marks.js';
import { SchemaError } from '../schema.error.js';
import {
  addSwaggerKeywords,
  describeAccepted,
  findSwaggerClass,
  findSwaggerDescription,
  findSwaggerProperty,
} from './swagger.js';
import {
  dropImpossibleValues,
  acceptsAbsence,
  buildPropertyKeywords,
  isOpenObject,
} from './constraint-keywords.js';
import {
  type Discriminator,
  type DtoLibraries,
  type ValidationMetadata,
  isExcluded,
} from './dto-libraries.js';

/** Decorators that accept only a `Date`. */
const TAKE_DATES = new Set(['isDate', 'minDate', 'maxDate']);

/** A class property and the known facts about it. */
interface DescribedProperty {
  readonly target: DtoClass;
  readonly property: string;
  readonly decorators: readonly ValidationMetadata[];
  /** The type that TypeScript emits for the property. */
  readonly designType: unknown;
}

/** The purpose of the schema. */
export interface DtoSchemaPurpose {
  readonly direction: SchemaDirection;
  /**
   * Whether values are validated against it before class-transformer runs, in which case the converted values are
   * validated later.
   */
  readonly isShape?: boolean;
}

/** Builds a DTO class's JSON Schema from its decorators' metadata. */
export class DtoSchemaBuilder {
  readonly #definitions = new DtoDefinitions();
  readonly #discriminators = new Map<DtoClass, string>();

  constructor(
    private readonly source: DtoClass,
    private readonly libraries: DtoLibraries,
    private readonly purpose: DtoSchemaPurpose,
  ) {}

  /** The classes with a discriminator, and its name. */
  get discriminators(): ReadonlyMap<DtoClass, string> {
    return this.#discriminators;
  }

  build(): JsonSchema {
    const schema = this.#buildClass(this.source);
    return this.#definitions.addTo(schema);
  }

  /** @param tag a subtype's discriminator, which the class does not have to declare */
  #buildClass(target: DtoClass, tag: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
    const { direction } = this.purpose;
    const sample = createSample(target, direction);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const { transformations } = this.libraries;
    for (const [property, decorators] of this.#groupDecorators(target, tag)) {
      if (isExcluded(transformations, { target, property, direction })) continue;
      const name = transformations.findExposeMetadata(target, property)?.options.name ?? property;
      const initial = direction === 'input' ? sample[property] : undefined;
      properties[name] = {
        ...this.#buildProperty(target, property, decorators),
        ...(isListable(initial) ? { default: initial } : {}),
      };
      if (initial === undefined && !acceptsAbsence(decorators)) required.push(name);
    }
    const description = findSwaggerDescription(target) ?? findInputTypeDescription(target);
    const names = [...new Set([...Object.keys(tag), ...required])];
    const schema = {
      type: 'object',
      ...(description !== undefined && { description }),
      properties: { ...properties, ...mergeTag(properties, tag) },
      ...(names.length > 0 ? { required: names } : {}),
      additionalProperties: false,
    };
    return this.#decorate(schema, target, target.name);
  }

  /** A subtype may have no property besides the discriminator. */
  #groupDecorators(
    target: DtoClass,
    tag: Readonly<Record<string, JsonSchema>>,
  ): ReadonlyMap<string, readonly ValidationMetadata[]> {
    const storage = this.libraries.validator.getMetadataStorage();
    const decorators = storage.getTargetValidationMetadatas(target, '', false, false);
    if (decorators.length === 0 && Object.keys(tag).length === 0) {
      throw SchemaError.undecoratedClass(this.purpose.direction, target.name);
    }
    const groups = new Map<string, ValidationMetadata[]>();
    for (const decorator of decorators) {
      groups.set(decorator.propertyName, [...(groups.get(decorator.propertyName) ?? []), decorator]);
    }
    return groups;
  }

  #buildProperty(target: DtoClass, property: string, decorators: readonly ValidationMetadata[]): JsonSchema {
    if (this.#isValidatedLater(target, property)) return {};
    const isNested = decorators.some(({ type }) => type === 'nestedValidation');
    const designType = findDesignType(target, property);
    const nested = isNested ? this.#buildNested(target, property) : undefined;
    const keywords = buildPropertyKeywords(decorators, { designType, nested });
    const schema = this.purpose.isShape
      ? this.#markDate(keywords, target, property, decorators)
      : this.#describe(keywords, { target, property, decorators, designType });
    return this.#decorate(dropImpossibleValues(schema), target, property);
  }

  /**
   * Adds the descriptions of other decorators to the validated keywords. They are added only to inputs, because
   * clients validate results against the output schema.
   */
  #describe(keywords: JsonSchema, facts: DescribedProperty): JsonSchema {
    const { target, property, designType } = facts;
    const { direction } = this.purpose;
    const swagger = findSwaggerProperty(target, property);
    let described = keywords;
    if (direction === 'input') {
      const isTransformed = this.#findTransforms(target, property).length > 0;
      described = isTransformed
        ? describeAccepted(keywords, swagger, designType)
        : this.#describeUnchecked(keywords, facts, swagger);
    }
    const description = findGraphqlFields(target).get(property)?.description;
    const commented = description === undefined ? described : { ...described, description };
    return addSwaggerKeywords(commented, swagger, direction);
  }

  /** Without `@ValidateNested()`, a nested class is not validated, but callers need to know its properties. */
  #describeUnchecked(
    keywords: JsonSchema,
    { target, property, decorators, designType }: DescribedProperty,
    swagger: JsonSchema,
  ): JsonSchema {
    const inner = keywords['type'] === 'array' ? (keywords['items'] ?? {}) : keywords;
    if (!isOpenObject(inner as JsonSchema)) return keywords;
    const found = this.libraries.transformations.findTypeMetadata(target, property);
    const candidates = [found?.typeFunction(), findSwaggerClass(swagger), designType];
    const named = candidates.find((one): one is DtoClass => this.#isDecorated(one));
    if (named === undefined) return keywords;
    const nested = this.#tryNested(() => this.#select(found?.options?.discriminator, named));
    return nested === undefined ? keywords : buildPropertyKeywords(decorators, { designType, nested });
  }

  #isDecorated(type: unknown): boolean {
    if (typeof type !== 'function') return false;
    const storage = this.libraries.validator.getMetadataStorage();
    return storage.getTargetValidationMetadatas(type, '', false, false).length > 0;
  }

  /** An unvalidated property may contain values that cannot be described. */
  #tryNested(build: () => JsonSchema): JsonSchema | undefined {
    try {
      return build();
    } catch (error) {
      if (error instanceof SchemaError) return undefined;
      throw error;
    }
  }

  /** The input of a `@Transform()` differs from its output. */
  #isValidatedLater(target: DtoClass, property: string): boolean {
    const { isShape, direction } = this.purpose;
    if (isShape !== true || direction !== 'input') return false;
    return this.#findTransforms(target, property).length > 0;
  }

  #findTransforms(target: DtoClass, property: string): readonly unknown[] {
    const { transformations, transformer } = this.libraries;
    const { PLAIN_TO_CLASS } = transformer.TransformationType;
    return transformations.findTransformMetadatas(target, property, PLAIN_TO_CLASS);
  }

  /** Without `@Type(() => Date)`, class-transformer leaves date strings alone. */
  #markDate(
    keywords: JsonSchema,
    target: DtoClass,
    property: string,
    decorators: readonly ValidationMetadata[],
  ): JsonSchema {
    const isDate = decorators.some(({ name }) => TAKE_DATES.has(name ?? ''));
    const isTyped = this.libraries.transformations.findTypeMetadata(target, property) !== undefined;
    if (!isDate || isTyped) return keywords;
    const mark = { [MARK]: 'date' };
    return keywords['type'] === 'array'
      ? { ...keywords, items: { ...(keywords['items'] as object), ...mark } }
      : { ...keywords, ...mark };
  }

  /** A transform creates the instance itself, from an undescribed value. */
  #buildNested(target: DtoClass, property: string): JsonSchema | undefined {
    const found = this.libraries.transformations.findTypeMetadata(target, property);
    if (found !== undefined)
      return this.#select(found.options?.discriminator, found.typeFunction() as DtoClass);
    const isMade = this.purpose.direction === 'input' && this.#findTransforms(target, property).length > 0;
    if (isMade) return undefined;
    throw SchemaError.untypedNesting(this.purpose.direction, target.name, property);
  }

  #select(discriminator: Discriminator | undefined, target: DtoClass): JsonSchema {
    return discriminator === undefined ? this.#refer(target) : this.#describeSubtypes(discriminator);
  }

  /** The discriminator of an object selects its class. */
  #describeSubtypes({ property, subTypes }: Discriminator): JsonSchema {
    const names = subTypes.map(({ name }) => name);
    return {
      type: 'object',
      properties: { [property]: { type: 'string', enum: names } },
      required: [property],
      oneOf: subTypes.map((subtype) => {
        this.#discriminators.set(subtype.value, property);
        const tag = { [property]: { const: subtype.name } };
        return this.#definitions.define(subtype, subtype.value.name, () =>
          this.#buildClass(subtype.value, tag),
        );
      }),
    };
  }

  #refer(target: DtoClass): JsonSchema {
    if (target === this.source) return { $ref: '#' };
    return this.#definitions.define(target, target.name, () => this.#buildClass(target));
  }

  #decorate(schema: JsonSchema, target: DtoClass, name: string): JsonSchema {
    const decoration = this.libraries.findDecoration(target, name);
    return typeof decoration === 'function' ? decoration(schema, {}) : { ...schema, ...decoration };
  }
}

/** The discriminator retains its other keywords, but allows only this value. */
function mergeTag(
  properties: Readonly<Record<string, JsonSchema>>,
  tag: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(tag).map(([name, only]) => {
      const { enum: _, ...described } = properties[name] ?? {};
      return [name, { ...described, ...only }];
    }),
  );
}

function findDesignType(target: DtoClass, property: string): unknown {
  const { getMetadata } = Reflect as { getMetadata?: (key: string, of: object, property: string) => unknown };
  return getMetadata?.('design:type', target.prototype as object, property);
}

/**
 * Creates an instance, whose initial values are the defaults for absent arguments.
 *
 * @throws {SchemaError} if the class cannot be instantiated without arguments
 */
function createSample(target: DtoClass, direction: SchemaDirection): Readonly<Record<string, unknown>> {
  try {
    return new target() as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw SchemaError.notConstructible(direction, target.name, cause);
  }
}

/** Returns whether an initial value can be listed as a default. */
function isListable(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** A subtype of a discriminated class. */
type Subtype = Discriminator['subTypes'][number];

/** The classes that a schema refers to. Each is defined once under `$defs`, which also allows recursive classes. */
class DtoDefinitions {
  readonly #names = new Map<DtoClass | Subtype, string>();
  readonly #schemas: Record<string, JsonSchema> = {};

  /** Refers to a class, or to a subtype, which is built on first encounter. */
  define(key: DtoClass | Subtype, className: string, build: () => JsonSchema): JsonSchema {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = this.#chooseName(className);
      this.#names.set(key, name);
      try {
        this.#schemas[name] = build();
      } catch (error) {
        this.#names.delete(key);
        throw error;
      }
    }
    return { $ref: `#/$defs/${encodeURIComponent(name)}` };
  }

  /** Adds the definitions to the schema that refers to them. */
  addTo(schema: JsonSchema): JsonSchema {
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#schemas };
  }

  #chooseName(className: string): string {
    const used = new Set(this.#names.values());
    const name = className === '' ? 'Anonymous' : className;
    let chosen = name;
    for (let suffix = 2; used.has(chosen); suffix += 1) chosen = `${name}${suffix}`;
    return chosen;
  }
}
