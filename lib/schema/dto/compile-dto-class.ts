import type { ClassConstructor } from 'class-transformer';
import { isObject } from '../../protocol/json-rpc.js';
import type {
  CompiledSchema,
  DtoClass,
  JsonSchema,
  SchemaDirection,
  ValidationOutcome,
} from '../compiled-schema.interface.js';
import { formatExpected } from '../issue-texts.js';
import { freezeSchema } from '../json.js';
import { buildDtoIssues } from './build-dto-issues.js';
import { type DtoLibraries, loadDtoLibraries } from './dto-libraries.js';
import { DtoSchemaBuilder } from './dto-schema.builder.js';
import { findShapeIssues } from './find-shape-issues.js';

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
  if (!isObject(value))
    return { valid: false, issues: [{ path: '', message: formatExpected('object', value) }] };
  const { source, libraries, direction, jsonSchema } = dto;
  const { transformer, validator } = libraries;
  const shape = findShapeIssues(jsonSchema, value);
  const instance: object = transformer.plainToInstance(source as ClassConstructor<object>, value, {
    exposeDefaultValues: true,
  });
  const errors = await validator.validate(instance, { whitelist: true, forbidNonWhitelisted: true });
  const known = new Set(shape.map(({ path }) => path));
  const issues = [...shape, ...buildDtoIssues(errors, value).filter(({ path }) => !known.has(path))];
  if (issues.length > 0) return { valid: false, issues };
  return { valid: true, value: direction === 'input' ? instance : transformer.instanceToPlain(instance) };
}
