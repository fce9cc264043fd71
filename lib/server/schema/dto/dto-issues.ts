import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ValidationIssue, JsonSchema, DtoClass } from '../compiled-schema.interface.js';
import { findByPath } from '../json.js';
import {
  describeValue,
  formatMissing,
  formatNoDate,
  formatReservedName,
  MOST_ISSUES,
  formatExpected,
  formatList,
  formatUnknownName,
} from '../validation-issues.js';
import type { ValidationError, DtoLibraries } from './dto-libraries.js';
import { followReference } from '../../../core/protocol/json-schema.js';
import type { ClassConstructor, TransformFnParams } from 'class-transformer';

/**
 * Converts class-validator's error tree into a flat list of issues.
 *
 * @param given the value before it became an instance
 * @param isIgnored returns whether an error is irrelevant
 */
export function buildDtoIssues(
  errors: readonly ValidationError[],
  given: unknown,
  isIgnored: (error: ValidationError) => boolean,
): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const issue of flatten(errors, { given, path: [], isIgnored })) {
    issues.push(issue);
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

interface ErrorTree {
  readonly given: unknown;
  readonly path: readonly string[];
  readonly isIgnored: (error: ValidationError) => boolean;
}

function* flatten(
  errors: readonly ValidationError[],
  { given, path: outer, isIgnored }: ErrorTree,
): Generator<ValidationIssue> {
  for (const error of errors) {
    if (isIgnored(error)) continue;
    const path = error.property === undefined ? outer : [...outer, error.property];
    const messages = listMessages(error, given);
    if (messages.length > 0) yield { path: path.join('.'), message: formatMessages(error, messages, given) };
    yield* flatten(error.children ?? [], { given: findByPath(given, [error.property]), path, isIgnored });
  }
}

/** A property that the class itself initializes is not an unknown name from the client. */
function listMessages({ constraints = {}, property }: ValidationError, given: unknown): readonly string[] {
  return Object.entries(constraints)
    .filter(([name]) => name !== 'whitelistValidation' || findByPath(given, [property]) !== undefined)
    .map(([, message]) => cutProperty(message, property));
}

/** Messages start with the property name, which the path already contains. */
function cutProperty(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

/** For a string that is not a date, class-validator sees only the invalid date that class-transformer created. */
function formatMessages(error: ValidationError, messages: readonly string[], given: unknown): string {
  const received = findByPath(given, [error.property]);
  const isText = typeof received === 'string' && error.constraints?.['isDate'] !== undefined;
  return isText ? formatNoDate(received) : formatMessage(messages.join('; '), error.value);
}

function formatMessage(message: string, value: unknown): string {
  return value === undefined
    ? `${formatMissing()}: ${message}`
    : `${message}, received ${describeValue(value)}`;
}

const RESERVED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Finds properties, at any depth, that share a name with `Object.prototype`. The package class-transformer silently
 * drops some of them, and uses `constructor` as the class to instantiate.
 */
export function findReservedNames(value: unknown): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const path of listReservedNames(value, '')) {
    issues.push({ path, message: formatReservedName() });
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

/** Copies a JSON value without such properties. */
export function copyWithoutReservedNames(value: object): object {
  return JSON.parse(JSON.stringify(value), (name, member: unknown) =>
    RESERVED.has(name) ? undefined : member,
  ) as object;
}

function* listReservedNames(value: unknown, path: string): Generator<string> {
  const isNamed = isObject(value);
  if (!isNamed && !Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (isNamed && RESERVED.has(name)) yield inner;
    else yield* listReservedNames(member, inner);
  }
}

/** A problem that class-validator does not detect. */
export interface ShapeIssue extends ValidationIssue {
  /** Whether an object's class is unknown, in which case its properties cannot be validated. */
  readonly isUntyped?: boolean;
}

/**
 * Finds objects, arrays and names that a DTO class's schema does not allow. The package class-validator accepts an
 * array as an object and a single item as an array, and lets some `Object.prototype` names through its whitelist.
 */
export function findShapeIssues(root: JsonSchema, value: unknown): readonly ShapeIssue[] {
  const issues: ShapeIssue[] = [];
  for (const issue of walkShape(root, value, { root, path: [] })) {
    issues.push(issue);
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

interface ShapePath {
  readonly root: JsonSchema;
  readonly path: readonly string[];
}

function* walkShape(described: unknown, value: unknown, location: ShapePath): Generator<ShapeIssue> {
  const schema = followReference(location.root, described);
  if (!isObject(schema) || value === undefined) return;
  const { type } = schema;
  if (isOfSubtypes(schema, location.root)) {
    yield* walkSubtype(schema, value, location);
    return;
  }
  if (value === null) return;
  if (type === 'array' && !Array.isArray(value))
    yield createIssue(location.path, formatExpected('array', value));
  if (type === 'object' && !isObject(value))
    yield createIssue(location.path, formatExpected('object', value));
  if (Array.isArray(value)) yield* walkItems(schema, value, location);
  else if (isObject(value)) yield* walkMembers(schema, value, location);
}

/** Distinguishes subtypes from author-written alternatives, which this module does not support. */
function isOfSubtypes({ properties, oneOf }: JsonSchema, root: JsonSchema): boolean {
  const [name, ...others] = isObject(properties) ? Object.keys(properties) : [];
  if (!Array.isArray(oneOf) || name === undefined || others.length > 0) return false;
  return oneOf.every((subtype) => findTag(root, subtype, name) !== undefined);
}

/** The discriminator selects the subtype. */
function* walkSubtype(schema: JsonSchema, value: unknown, location: ShapePath): Generator<ShapeIssue> {
  // It may be omitted, unless it is an item.
  if (value === null && !isItem(location)) return;
  if (!isObject(value)) {
    yield { ...createIssue(location.path, formatExpected('object', value)), isUntyped: true };
    return;
  }
  const { properties, oneOf } = schema as { properties: JsonSchema; oneOf: readonly unknown[] };
  const [name = ''] = Object.keys(properties);
  const tag = value[name];
  const values = oneOf.map((subtype) => findTag(location.root, subtype, name));
  const at = values.indexOf(tag);
  if (at !== -1) {
    yield* walkShape(oneOf[at], value, location);
    return;
  }
  const allowed = `one of ${formatList(values)}`;
  const message = tag === undefined ? formatMissing(allowed) : formatExpected(allowed, tag);
  yield { ...createIssue([...location.path, name], message), isUntyped: true };
}

function isItem({ path }: ShapePath): boolean {
  return /^\d+$/.test(path.at(-1) ?? '');
}

function findTag(root: JsonSchema, subtype: unknown, name: string): unknown {
  const schema = followReference(root, subtype);
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const described = isObject(properties) ? properties[name] : undefined;
  return isObject(described) ? described['const'] : undefined;
}

function* walkItems(
  schema: JsonSchema,
  items: readonly unknown[],
  location: ShapePath,
): Generator<ShapeIssue> {
  if (schema['type'] !== 'array' || !('items' in schema)) return;
  for (const [at, item] of items.entries()) {
    yield* walkShape(schema['items'], item, { ...location, path: [...location.path, String(at)] });
  }
}

function* walkMembers(
  schema: JsonSchema,
  object: Readonly<Record<string, unknown>>,
  location: ShapePath,
): Generator<ShapeIssue> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, member] of Object.entries(object)) {
    // JSON leaves it out.
    if (member === undefined) continue;
    const path = [...location.path, name];
    if (Object.hasOwn(properties, name)) yield* walkShape(properties[name], member, { ...location, path });
    else if (schema['additionalProperties'] === false) {
      yield createIssue(path, formatUnknownName(name, Object.keys(properties)));
    }
  }
}

function createIssue(path: readonly string[], message: string): ShapeIssue {
  return { path: path.join('.'), message };
}

/** A value that is being converted to an instance. */
interface TransformPath {
  readonly path: readonly string[];
  readonly libraries: DtoLibraries;
}

/**
 * Finds the property whose `@Transform()` threw, by running each transform again, because the error does not name the
 * property. Returns `undefined` if no transform throws now.
 */
export function findTransformIssue(
  target: DtoClass,
  given: unknown,
  libraries: DtoLibraries,
): ValidationIssue | undefined {
  return walkTransforms(target, given, { path: [], libraries });
}

function walkTransforms(
  target: DtoClass,
  given: unknown,
  location: TransformPath,
): ValidationIssue | undefined {
  if (Array.isArray(given)) {
    return findFirst(given.entries(), ([at, item]) =>
      walkTransforms(target, item, descend(location, String(at))),
    );
  }
  if (!isObject(given)) return undefined;
  return findFirst(Object.keys(given), (name) =>
    checkTransforms(target, { given, name }, descend(location, name)),
  );
}

function checkTransforms(
  target: DtoClass,
  { given, name }: { readonly given: Readonly<Record<string, unknown>>; readonly name: string },
  location: TransformPath,
): ValidationIssue | undefined {
  const { transformations, transformer } = location.libraries;
  const key = transformations.findExposeMetadataByCustomName(target, name)?.propertyName ?? name;
  const type = transformations
    .findTypeMetadata(target, key)
    ?.typeFunction({ newObject: {}, object: given, property: key }) as DtoClass | undefined;
  const inner = type === undefined ? undefined : walkTransforms(type, given[name], location);
  if (inner !== undefined) return inner;
  const { PLAIN_TO_CLASS } = transformer.TransformationType;
  const transforms = transformations.findTransformMetadatas(target, key, PLAIN_TO_CLASS);
  if (transforms.length === 0) return undefined;
  try {
    const options = { exposeDefaultValues: true };
    const start: unknown =
      type === undefined
        ? given[name]
        : transformer.plainToInstance(type as ClassConstructor<object>, given[name], options);
    transforms.reduce((value, { transformFn }) => {
      const params: TransformFnParams = { value, key, obj: given, type: PLAIN_TO_CLASS, options };
      return transformFn(params) as unknown;
    }, start);
    return undefined;
  } catch (thrown) {
    return { path: location.path.join('.'), message: formatRefused(thrown, given[name]) };
  }
}

/** Includes an error's message only if it is about the value or meant for callers. */
function formatRefused(thrown: unknown, value: unknown): string {
  const reason = isMeantForCallers(thrown) ? `: ${thrown.message}` : '';
  return `cannot be converted${reason}, received ${describeValue(value)}`;
}

function isMeantForCallers(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const status: unknown =
    'getStatus' in thrown && typeof thrown.getStatus === 'function' ? thrown.getStatus() : 500;
  return thrown instanceof SyntaxError || thrown.name === 'ToolError' || Number(status) < 500;
}

function descend({ path, libraries }: TransformPath, name: string): TransformPath {
  return { path: [...path, name], libraries };
}

function findFirst<Item>(
  items: Iterable<Item>,
  judgeItem: (item: Item) => ValidationIssue | undefined,
): ValidationIssue | undefined {
  for (const item of items) {
    const issue = judgeItem(item);
    if (issue !== undefined) return issue;
  }
  return undefined;
}
