import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { SchemaError } from '../schema.error.js';
import { buildPropertyKeywords } from './build-property-keywords.js';
import type { DtoLibraries, ValidationMetadata } from './dto-libraries.js';
import { isExcluded } from './is-excluded.js';

/** Decorators that let an absent value pass; where a property has no others, it is optional. */
const ACCEPT_ABSENCE = new Set([
  'whitelistValidation',
  'nestedValidation',
  'promiseValidation',
  'isEmpty',
  'isNotIn',
  'notEquals',
]);

/** Builds the JSON Schema of a DTO class from what its decorators have written down. */
export class DtoSchemaBuilder {
  readonly #names = new Map<DtoClass, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(
    private readonly source: DtoClass,
    private readonly libraries: DtoLibraries,
    private readonly direction: SchemaDirection,
  ) {}

  build(): JsonSchema {
    const schema = this.#buildClass(this.source);
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  #buildClass(target: DtoClass): JsonSchema {
    const sample = this.#createSample(target);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const { transformations } = this.libraries;
    for (const [property, decorators] of this.#groupDecorators(target)) {
      if (isExcluded(transformations, { target, property, direction: this.direction })) continue;
      const name = transformations.findExposeMetadata(target, property)?.options.name ?? property;
      const initial = this.direction === 'input' ? sample[property] : undefined;
      properties[name] = {
        ...this.#buildProperty(target, property, decorators),
        ...(isListable(initial) ? { default: initial } : {}),
      };
      if (initial === undefined && !acceptsAbsence(decorators)) required.push(name);
    }
    const schema = {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    };
    return this.#decorate(schema, target, target.name);
  }

  /** What the properties' initialisers leave in an instance is what an absent argument becomes. */
  #createSample(target: DtoClass): Readonly<Record<string, unknown>> {
    try {
      return new target() as Readonly<Record<string, unknown>>;
    } catch (cause) {
      throw SchemaError.notConstructible(this.direction, target.name, cause);
    }
  }

  #groupDecorators(target: DtoClass): ReadonlyMap<string, readonly ValidationMetadata[]> {
    const storage = this.libraries.validator.getMetadataStorage();
    const decorators = storage.getTargetValidationMetadatas(target, '', false, false);
    if (decorators.length === 0) throw SchemaError.undecoratedClass(this.direction, target.name);
    const groups = new Map<string, ValidationMetadata[]>();
    for (const decorator of decorators) {
      groups.set(decorator.propertyName, [...(groups.get(decorator.propertyName) ?? []), decorator]);
    }
    return groups;
  }

  #buildProperty(target: DtoClass, property: string, decorators: readonly ValidationMetadata[]): JsonSchema {
    const isNested = decorators.some(({ type }) => type === 'nestedValidation');
    const schema = buildPropertyKeywords(decorators, {
      designType: findDesignType(target, property),
      nested: isNested ? this.#buildNested(target, property) : undefined,
    });
    return this.#decorate(schema, target, property);
  }

  #buildNested(target: DtoClass, property: string): JsonSchema {
    const found = this.libraries.transformations.findTypeMetadata(target, property);
    if (found === undefined) throw SchemaError.untypedNesting(this.direction, target.name, property);
    const { discriminator } = found.options ?? {};
    return discriminator === undefined
      ? this.#refer(found.typeFunction() as DtoClass)
      : describeDiscriminator(discriminator);
  }

  /** A class stands once under `$defs`, so that one that holds itself has an end. */
  #refer(target: DtoClass): JsonSchema {
    if (target === this.source) return { $ref: '#' };
    let name = this.#names.get(target);
    if (name === undefined) {
      name = this.#chooseName(target);
      this.#names.set(target, name);
      this.#definitions[name] = this.#buildClass(target);
    }
    return { $ref: `#/$defs/${encodeURIComponent(name)}` };
  }

  #chooseName({ name }: DtoClass): string {
    const taken = new Set(this.#names.values());
    let chosen = name === '' ? 'Anonymous' : name;
    for (let suffix = 2; taken.has(chosen); suffix += 1) chosen = `${name}${suffix}`;
    return chosen;
  }

  #decorate(schema: JsonSchema, target: DtoClass, name: string): JsonSchema {
    const decoration = this.libraries.findDecoration(target, name);
    return typeof decoration === 'function' ? decoration(schema, {}) : { ...schema, ...decoration };
  }
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

/** Which class an object becomes is told by one of its members. */
function describeDiscriminator(discriminator: {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string }[];
}): JsonSchema {
  const { property, subTypes } = discriminator;
  return {
    type: 'object',
    properties: { [property]: { enum: subTypes.map(({ name }) => name) } },
    required: [property],
  };
}

function isListable(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
