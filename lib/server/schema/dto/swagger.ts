import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { findJsonCopy } from '../json.js';
import { DATE_TEXT } from '../listing/shown-marks.js';
import { describeValues, listEnumValues } from './constraint-keywords.js';

const ANNOTATIONS = ['title', 'description', 'deprecated', 'readOnly', 'writeOnly'];

/**
 * The constraints that swagger adds to a type. Class-validator constraints override them, because they are enforced.
 */
const CONSTRAINTS = [
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

const TYPES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  ...['string', 'number', 'integer', 'boolean', 'object', 'array'].map(
    (type): readonly [string, JsonSchema] => [type, { type }],
  ),
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, DATE_TEXT],
]);

/** Keywords that determine a value's type. */
const TYPING = ['type', '$ref', 'enum', 'const', 'oneOf'];

/** Adds the metadata of `@ApiProperty()` to the constraints from class-validator decorators. */
export function addSwaggerKeywords(
  keywords: JsonSchema,
  swagger: JsonSchema,
  direction: SchemaDirection,
): JsonSchema {
  if (Object.keys(swagger).length === 0) return keywords;
  const typed = addType(keywords, swagger);
  return {
    ...pick(convertLimits(swagger), CONSTRAINTS),
    ...(typed['type'] === 'object' ? describeOthers(swagger) : {}),
    ...typed,
    ...pick(swagger, ANNOTATIONS),
    ...describeExamples(swagger),
    ...(direction === 'input' ? pick(swagger, ['default']) : {}),
  };
}

/** Finds the class that `@ApiProperty()` or the plugin names, if it is an application class. */
export function findSwaggerClass({ type }: JsonSchema): DtoClass | undefined {
  const only = selectOnly(callLazily(type));
  return typeof only === 'function' && !TYPES.has(only) ? (only as DtoClass) : undefined;
}

/**
 * Describes the input for a property with a `@Transform()`. A swagger type is used only if it differs from the
 * TypeScript type, which swagger stores by default.
 */
export function describeAccepted(keywords: JsonSchema, swagger: JsonSchema, designType: unknown): JsonSchema {
  const { type } = swagger;
  if (type === undefined || type === designType) return keywords;
  const kind = isSwaggerList(swagger) ? 'array' : resolveType(type)?.['type'];
  if (kind === undefined || kind === keywords['type']) return keywords;
  return kind === 'number' && keywords['type'] === 'integer' ? keywords : {};
}

function addType(keywords: JsonSchema, swagger: JsonSchema): JsonSchema {
  const values = findEnum(swagger);
  const type = resolveType(swagger['type']);
  const isTyped = TYPING.some((name) => name in keywords);
  if (keywords['type'] === 'array' || (!isTyped && isSwaggerList(swagger))) {
    const items = isObject(keywords['items']) ? keywords['items'] : {};
    const given = isObject(swagger['items']) ? swagger['items'] : {};
    const inner = describeKind(items, findEnum(given) ?? values, resolveType(given['type']) ?? type);
    return { type: 'array', ...keywords, ...(Object.keys(inner).length > 0 ? { items: inner } : {}) };
  }
  return describeKind(keywords, values, type);
}

/** An enumeration is narrower than a type. The values that class-validator lists are checked. */
function describeKind(
  keywords: JsonSchema,
  values: readonly unknown[] | undefined,
  type: JsonSchema | undefined,
): JsonSchema {
  const isNarrow = ['$ref', 'enum', 'const', 'oneOf'].some((name) => name in keywords);
  if (values !== undefined && !isNarrow) return { ...describeValues(values), ...keywords, enum: values };
  if (type === undefined || type['type'] === 'array' || TYPING.some((name) => name in keywords))
    return keywords;
  return { ...type, ...keywords };
}

function findEnum({ enum: given }: JsonSchema): readonly unknown[] | undefined {
  const values: unknown = typeof given === 'function' ? given() : given;
  const listed = listEnumValues(values);
  return listed.length > 0 ? listed : undefined;
}

/** Returns whether `@ApiProperty()` or the plugin declares a list. */
export function isSwaggerList({ isArray, type }: JsonSchema): boolean {
  return isArray === true || type === 'array' || Array.isArray(callLazily(type));
}

/** The plugin emits a type as a function with this name, because classes may refer to each other. */
function callLazily(type: unknown): unknown {
  return typeof type === 'function' && type.name === 'type' ? type() : type;
}

function resolveType(type: unknown): JsonSchema | undefined {
  return TYPES.get(selectOnly(callLazily(type)));
}

/** An array with one type defines the type of the items. */
function selectOnly(type: unknown): unknown {
  const [only] = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  return only;
}

/** OpenAPI 3.0 marks exclusive limits with a boolean keyword. */
function convertLimits(swagger: JsonSchema): JsonSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = swagger;
  return {
    ...others,
    ...convertLimit(['minimum', 'exclusiveMinimum'], minimum, exclusiveMinimum),
    ...convertLimit(['maximum', 'exclusiveMaximum'], maximum, exclusiveMaximum),
  };
}

function convertLimit([name, exclusive]: [string, string], limit: unknown, isExclusive: unknown): JsonSchema {
  if (isExclusive === true) return { [exclusive]: limit };
  return { [name]: limit, ...(typeof isExclusive === 'number' && { [exclusive]: isExclusive }) };
}

function describeExamples({ example, examples }: JsonSchema): JsonSchema {
  const given: readonly unknown[] | undefined = Array.isArray(examples)
    ? examples
    : listNamedExamples(examples);
  const listed: unknown = findJsonCopy(given ?? (example === undefined ? [] : [example]));
  return Array.isArray(listed) && listed.length > 0 ? { examples: listed } : {};
}

/** OpenAPI names its examples and wraps each in an object. */
function listNamedExamples(examples: unknown): readonly unknown[] | undefined {
  if (!isObject(examples)) return undefined;
  return Object.values(examples).map((one) => (isObject(one) && 'value' in one ? one['value'] : one));
}

/** A reference points into the application's OpenAPI document. */
function describeOthers(swagger: JsonSchema): JsonSchema {
  const described = pick(swagger, ['additionalProperties']);
  return JSON.stringify(described).includes('"$ref"') ? {} : described;
}

/** A value that JSON cannot represent, such as a function as a default, is omitted. */
function pick(swagger: JsonSchema, names: readonly string[]): JsonSchema {
  const picked = names.map((name) => [name, findJsonCopy(swagger[name])] as const);
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined));
}

/** The metadata keys of @nestjs/swagger and its plugin, which do not have to be installed. */
const PROPERTY_METADATA = 'swagger/apiModelProperties';
const CLASS_METADATA = 'swagger/apiSchema';
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** Looked up on each call, because another copy of `reflect-metadata` may have been loaded after this file. */
const metadata = Reflect as {
  getMetadata?: (key: string, of: object, property: string) => unknown;
  getOwnMetadata?: (key: string, of: object) => unknown;
};

/** Finds the options of `@ApiProperty()` on a property. The Nest CLI plugin may fill in missing ones. */
export function findSwaggerProperty(target: DtoClass, property: string): JsonSchema {
  const written = metadata.getMetadata?.(PROPERTY_METADATA, target.prototype as object, property);
  return { ...findPluginProperty(target, property), ...(isObject(written) ? written : {}) };
}

/** Subclasses override base classes. */
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
