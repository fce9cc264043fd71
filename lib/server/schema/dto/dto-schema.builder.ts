import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { MARK } from '../listing/shown-marks.js';
import { SchemaError } from '../schema.error.js';
import { addSwaggerKeywords } from './add-swagger-keywords.js';
import { buildPropertyKeywords } from './build-property-keywords.js';
import type { Discriminator, DtoLibraries, ValidationMetadata } from './dto-libraries.js';
import { isExcluded } from './is-excluded.js';
import { findSwaggerDescription, findSwaggerProperty } from './swagger-metadata.js';

/** Decorators that let an absent value pass; if a property has no others, it is optional. */
const ACCEPT_ABSENCE = new Set([
  'whitelistValidation',
  'nestedValidation',
  'promiseValidation',
  'isEmpty',
  'isNotIn',
  'notEquals',
]);

/** Decorators that take nothing but a `Date`. */
const TAKE_DATES = new Set(['isDate', 'minDate', 'maxDate']);

/** One class of those that a discriminator tells apart. */
type Subtype = Discriminator['subTypes'][number];

/** The purpose of the schema. */
export interface DtoSchemaPurpose {
  readonly direction: SchemaDirection;
  /** Whether values are compared with it before class-transformer has them: what it makes of them is judged later then. */
  readonly isShape?: boolean;
}

/** Builds the JSON Schema of a DTO class from what its decorators have written down. */
export class DtoSchemaBuilder {
  /** The names of definitions by the class, or the subtype, that they are of. */
  readonly #names = new Map<DtoClass | Subtype, string>();
  readonly #definitions: Record<string, JsonSchema> = {};
  readonly #discriminators = new Map<DtoClass, string>();

  constructor(
    private readonly source: DtoClass,
    private readonly libraries: DtoLibraries,
    private readonly purpose: DtoSchemaPurpose,
  ) {}

  /** The classes that a discriminator tells apart, with the name of that member. */
  get discriminators(): ReadonlyMap<DtoClass, string> {
    return this.#discriminators;
  }

  build(): JsonSchema {
    const schema = this.#buildClass(this.source);
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  /** @param tag the member that tells subtypes apart, which a class need not have */
  #buildClass(target: DtoClass, tag: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
    const sample = this.#createSample(target);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const { transformations } = this.libraries;
    const { direction } = this.purpose;
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
    const description = findSwaggerDescription(target);
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

  /** What the properties' initialisers leave in an instance is what an absent argument becomes. */
  #createSample(target: DtoClass): Readonly<Record<string, unknown>> {
    try {
      return new target() as Readonly<Record<string, unknown>>;
    } catch (cause) {
      throw SchemaError.notConstructible(this.purpose.direction, target.name, cause);
    }
  }

  /** A subtype may have nothing but the member that tells it apart. */
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
    if (this.#isJudgedLater(target, property)) return {};
    const isNested = decorators.some(({ type }) => type === 'nestedValidation');
    const keywords = buildPropertyKeywords(decorators, {
      designType: findDesignType(target, property),
      nested: isNested ? this.#buildNested(target, property) : undefined,
    });
    const schema = this.purpose.isShape
      ? this.#markDate(keywords, target, property, decorators)
      : addSwaggerKeywords(keywords, findSwaggerProperty(target, property), this.purpose.direction);
    return this.#decorate(schema, target, property);
  }

  /** The input of a `@Transform()` differs from its output. */
  #isJudgedLater(target: DtoClass, property: string): boolean {
    const { isShape, direction } = this.purpose;
    if (isShape !== true || direction !== 'input') return false;
    return this.#findTransforms(target, property).length > 0;
  }

  #findTransforms(target: DtoClass, property: string): readonly unknown[] {
    const { transformations, transformer } = this.libraries;
    const { PLAIN_TO_CLASS } = transformer.TransformationType;
    return transformations.findTransformMetadatas(target, property, PLAIN_TO_CLASS);
  }

  /** Without `@Type(() => Date)` nothing else would make a date of a text. */
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

  #buildNested(target: DtoClass, property: string): JsonSchema {
    const found = this.libraries.transformations.findTypeMetadata(target, property);
    if (found === undefined) throw SchemaError.untypedNesting(this.purpose.direction, target.name, property);
    const { discriminator } = found.options ?? {};
    return discriminator === undefined
      ? this.#refer(found.typeFunction() as DtoClass)
      : this.#describeSubtypes(discriminator);
  }

  /** One member of an object decides which class it becomes. */
  #describeSubtypes({ property, subTypes }: Discriminator): JsonSchema {
    const names = subTypes.map(({ name }) => name);
    return {
      type: 'object',
      properties: { [property]: { type: 'string', enum: names } },
      required: [property],
      oneOf: subTypes.map((subtype) => {
        this.#discriminators.set(subtype.value, property);
        const tag = { [property]: { const: subtype.name } };
        return this.#define(subtype, subtype.value.name, () => this.#buildClass(subtype.value, tag));
      }),
    };
  }

  #refer(target: DtoClass): JsonSchema {
    if (target === this.source) return { $ref: '#' };
    return this.#define(target, target.name, () => this.#buildClass(target));
  }

  /** A class stands once under `$defs`, so that one that holds itself has an end. */
  #define(key: DtoClass | Subtype, className: string, build: () => JsonSchema): JsonSchema {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = this.#chooseName(className);
      this.#names.set(key, name);
      this.#definitions[name] = build();
    }
    return { $ref: `#/$defs/${encodeURIComponent(name)}` };
  }

  #chooseName(className: string): string {
    const taken = new Set(this.#names.values());
    const name = className === '' ? 'Anonymous' : className;
    let chosen = name;
    for (let suffix = 2; taken.has(chosen); suffix += 1) chosen = `${name}${suffix}`;
    return chosen;
  }

  #decorate(schema: JsonSchema, target: DtoClass, name: string): JsonSchema {
    const decoration = this.libraries.findDecoration(target, name);
    return typeof decoration === 'function' ? decoration(schema, {}) : { ...schema, ...decoration };
  }
}

/** Other keywords of the member stay; here it can only have this one value. */
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

function acceptsAbsence(decorators: readonly ValidationMetadata[]): boolean {
  if (decorators.some(({ type }) => type === 'conditionalValidation')) return true;
  return decorators.every(
    ({ type, name, validateIf }) =>
      validateIf !== undefined || ACCEPT_ABSENCE.has(type) || ACCEPT_ABSENCE.has(name ?? ''),
  );
}

function findDesignType(target: DtoClass, property: string): unknown {
  const { getMetadata } = Reflect as { getMetadata?: (key: string, of: object, property: string) => unknown };
  return getMetadata?.('design:type', target.prototype as object, property);
}

function isListable(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
