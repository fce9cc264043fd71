import type { ClassConstructor } from 'class-transformer';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type {
  CompiledSchema,
  DtoClass,
  JsonSchema,
  SchemaDirection,
  ValidationIssue,
  ValidationOutcome,
} from '../compiled-schema.interface.js';
import { buildDateReader, type ReadDates } from '../date-reader.js';
import { formatExpected } from '../validation-issues.js';
import { freezeSchema } from '../json.js';
import {
  buildDtoIssues,
  copyWithoutReservedNames,
  findReservedNames,
  findShapeIssues,
  findTransformIssue,
} from './dto-issues.js';
import { inlineReferences } from '../listing/inline-references.js';
import { loadDtoLibraries, type Discriminator, type DtoLibraries, isExcluded } from './dto-libraries.js';
import { DtoSchemaBuilder } from './dto-schema.builder.js';

/**
 * Compiles a class with `class-validator` decorators. An input becomes an instance of the class. An output becomes the
 * plain object that `class-transformer` creates from an instance.
 *
 * @throws {SchemaError} if the packages are not installed or the class cannot be described
 */
export function compileDtoClass(source: DtoClass, direction: SchemaDirection): CompiledSchema {
  const libraries = loadDtoLibraries(source, direction);
  const listed = freezeSchema(new DtoSchemaBuilder(source, libraries, { direction }).build(), direction);
  const builder = new DtoSchemaBuilder(source, libraries, { direction, isShape: true });
  const shape = freezeSchema(builder.build(), direction);
  const readDates = buildDateReader(shape);
  const dto: Dto = { source, libraries, direction, shape, readDates, discriminators: builder.discriminators };
  return { jsonSchema: inlineReferences(listed), validate: (value) => validateDto(dto, value) };
}

interface Dto {
  readonly source: DtoClass;
  readonly libraries: DtoLibraries;
  readonly direction: SchemaDirection;
  /** The part of the form that is validated before class-transformer converts values. */
  readonly shape: JsonSchema;
  /** Absent if class-transformer creates all dates. */
  readonly readDates: ReadDates | undefined;
  /** The subtypes, with their discriminator's name. */
  readonly discriminators: ReadonlyMap<DtoClass, string>;
}

async function validateDto(dto: Dto, value: unknown): Promise<ValidationOutcome> {
  if (!isObject(value)) return refuse([{ path: '', message: formatExpected('object', value) }]);
  return dto.direction === 'input' ? validateInput(dto, value) : validateOutput(dto, value);
}

async function validateInput(dto: Dto, value: object): Promise<ValidationOutcome> {
  const reserved = findReservedNames(value);
  const shape = findShapeIssues(dto.shape, value);
  if (shape.some(({ isUntyped }) => isUntyped)) return refuse([...shape, ...reserved]);
  const given = reserved.length > 0 ? copyWithoutReservedNames(value) : value;
  const instance = transformInput(
    dto,
    dto.readDates === undefined ? given : (dto.readDates(given) as object),
  );
  if ('issue' in instance) return refuse([...shape, instance.issue, ...reserved]);
  const known = new Set(shape.map(({ path }) => path));
  const others = (await findIssues(dto, instance.made, given)).filter(({ path }) => !known.has(path));
  const issues = [...shape, ...others];
  const left = reserved.filter(({ path }) => !issues.some((issue) => isWithin(path, issue.path)));
  if (issues.length + left.length > 0) return refuse([...issues, ...left]);
  return { valid: true, value: instance.made };
}

/**
 * An error thrown in a `@Transform()` is reported as a problem with the argument, because nothing else validates its
 * input.
 */
function transformInput(
  dto: Dto,
  given: object,
): { readonly made: object } | { readonly issue: ValidationIssue } {
  try {
    return { made: createInstance(dto, given) };
  } catch (thrown) {
    const issue = findTransformIssue(dto.source, given, dto.libraries);
    if (issue === undefined) throw thrown;
    return { issue };
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/**
 * An instance may have other property names than the schema, and properties that are never sent, so its JSON form is
 * validated.
 */
async function validateOutput(dto: Dto, value: object): Promise<ValidationOutcome> {
  const untyped = findUntyped(dto, value);
  if (untyped.length > 0) return refuse(untyped);
  const instance = createInstance(dto, value);
  const issues = await findIssues(dto, instance, value);
  if (issues.length > 0) return refuse(issues);
  const plain = dto.libraries.transformer.instanceToPlain(instance);
  const shape = findShapeIssues(dto.shape, plain);
  return shape.length > 0 ? refuse(shape) : { valid: true, value: plain };
}

/** class-transformer fails on an object whose class it does not know. */
function findUntyped(dto: Dto, value: object): readonly ValidationIssue[] {
  if (dto.discriminators.size === 0) return [];
  const { source, libraries, shape } = dto;
  const tagged = tagSubtypes(value, source, libraries.transformations);
  return findShapeIssues(shape, tagged).filter(({ isUntyped }) => isUntyped);
}

function createInstance(dto: Dto, value: object): object {
  const { source, libraries, discriminators, readDates } = dto;
  const dated = readDates === undefined ? value : readDates(value);
  const given = discriminators.size === 0 ? dated : tagSubtypes(dated, source, libraries.transformations);
  return libraries.transformer.plainToInstance(source as ClassConstructor<object>, given as object, {
    exposeDefaultValues: true,
  });
}

async function findIssues(dto: Dto, instance: object, given: object): Promise<readonly ValidationIssue[]> {
  const errors = await dto.libraries.validator.validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
  });
  return buildDtoIssues(errors, given, ({ target, property }) =>
    isNoIssue(dto, target?.constructor as DtoClass, property),
  );
}

/** The discriminator is validated before class-transformer removes it. */
function isNoIssue(
  { libraries, direction, discriminators }: Dto,
  target: DtoClass,
  property: string,
): boolean {
  if (discriminators.get(target) === property) return true;
  return isExcluded(libraries.transformations, { direction, target, property });
}

function refuse(issues: readonly ValidationIssue[]): ValidationOutcome {
  return { valid: false, issues };
}

type Transformations = DtoLibraries['transformations'];
type Members = Readonly<Record<string, unknown>>;

/**
 * Copies the parts of a value that class-transformer modifies, because it deletes the discriminator from its input. A
 * subtype instance gets its discriminator, which class-transformer needs to recognize it.
 */
function tagSubtypes(value: unknown, target: DtoClass, transformations: Transformations): unknown {
  if (Array.isArray(value)) return value.map((item) => tagSubtypes(item, target, transformations));
  if (!isRecord(value)) return value;
  const copy = copyOf(value);
  for (const [name, member] of Object.entries(value)) {
    const property = transformations.findExposeMetadataByCustomName(target, name)?.propertyName ?? name;
    const found = transformations.findTypeMetadata(target, property);
    if (found === undefined) continue;
    const type = found.typeFunction({ newObject: copy, object: value, property }) as DtoClass;
    const { discriminator } = found.options ?? {};
    copy[name] =
      discriminator === undefined
        ? tagSubtypes(member, type, transformations)
        : tag(member, { type, discriminator, transformations });
  }
  return copy;
}

interface Tagging {
  readonly type: DtoClass;
  readonly discriminator: Discriminator;
  readonly transformations: Transformations;
}

function tag(value: unknown, tagging: Tagging): unknown {
  if (Array.isArray(value)) return value.map((item) => tag(item, tagging));
  if (!isRecord(value)) return value;
  const { type, discriminator, transformations } = tagging;
  const { property, subTypes } = discriminator;
  const named = subTypes.find(({ name }) => name === value[property]);
  const subType = named ?? subTypes.find((one) => one.value === value.constructor);
  const copy = tagSubtypes(value, subType?.value ?? type, transformations) as Members;
  return subType === undefined || named !== undefined
    ? copy
    : Object.assign(copy, { [property]: subType.name });
}

/** Their content is not stored in properties. */
function isRecord(value: unknown): value is Members {
  return isObject(value) && ![Date, Map, Set, Uint8Array].some((one) => value instanceof one);
}

function copyOf(value: Members): Record<string, unknown> {
  const copy = { ...value };
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype ? copy : (Object.setPrototypeOf(copy, prototype) as typeof copy);
}
