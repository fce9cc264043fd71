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
import { formatExpected } from '../issue-texts.js';
import { freezeSchema } from '../json.js';
import { buildDtoIssues } from './build-dto-issues.js';
import { type DtoLibraries, loadDtoLibraries } from './dto-libraries.js';
import { DtoSchemaBuilder } from './dto-schema.builder.js';
import { copyWithoutReservedNames, findReservedNames } from './find-reserved-names.js';
import { findShapeIssues } from './find-shape-issues.js';
import { isExcluded } from './is-excluded.js';

/**
 * Compiles a class with `class-validator` decorators. An input becomes an instance of the class; an output becomes the
 * plain object that `class-transformer` makes of such an instance.
 *
 * @throws {SchemaError} when the packages are not installed or the class cannot be described
 */
export function compileDtoClass(source: DtoClass, direction: SchemaDirection): CompiledSchema {
  const libraries = loadDtoLibraries(source, direction);
  const jsonSchema = freezeSchema(new DtoSchemaBuilder(source, libraries, direction).build(), direction);
  const dto: Dto = { source, libraries, direction, jsonSchema };
  return { jsonSchema, validate: (value) => validateDto(dto, value) };
}

interface Dto {
  readonly source: DtoClass;
  readonly libraries: DtoLibraries;
  readonly direction: SchemaDirection;
  readonly jsonSchema: JsonSchema;
}

async function validateDto(dto: Dto, value: unknown): Promise<ValidationOutcome> {
  if (!isObject(value)) return refuse([{ path: '', message: formatExpected('object', value) }]);
  return dto.direction === 'input' ? validateInput(dto, value) : validateOutput(dto, value);
}

async function validateInput(dto: Dto, value: object): Promise<ValidationOutcome> {
  const reserved = findReservedNames(value);
  const given = reserved.length > 0 ? copyWithoutReservedNames(value) : value;
  const instance = createInstance(dto, given);
  const shape = findShapeIssues(dto.jsonSchema, value);
  const known = new Set(shape.map(({ path }) => path));
  const others = (await findIssues(dto, instance, given)).filter(({ path }) => !known.has(path));
  const issues = [...shape, ...others];
  const left = reserved.filter(({ path }) => !issues.some((issue) => isWithin(path, issue.path)));
  if (issues.length + left.length > 0) return refuse([...issues, ...left]);
  return { valid: true, value: instance };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** An instance has other names than the schema, and members that are never sent: the shape is that of what is made of it. */
async function validateOutput(dto: Dto, value: object): Promise<ValidationOutcome> {
  const instance = createInstance(dto, value);
  const issues = await findIssues(dto, instance, value);
  if (issues.length > 0) return refuse(issues);
  const plain = dto.libraries.transformer.instanceToPlain(instance);
  const shape = findShapeIssues(dto.jsonSchema, plain);
  return shape.length > 0 ? refuse(shape) : { valid: true, value: plain };
}

function createInstance({ source, libraries }: Dto, value: object): object {
  return libraries.transformer.plainToInstance(source as ClassConstructor<object>, value, {
    exposeDefaultValues: true,
  });
}

async function findIssues(
  { libraries, direction }: Dto,
  instance: object,
  given: object,
): Promise<readonly ValidationIssue[]> {
  const errors = await libraries.validator.validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
  });
  return buildDtoIssues(errors, given, ({ target, property }) =>
    isExcluded(libraries.transformations, {
      direction,
      target: target?.constructor as DtoClass,
      property,
    }),
  );
}

function refuse(issues: readonly ValidationIssue[]): ValidationOutcome {
  return { valid: false, issues };
}
