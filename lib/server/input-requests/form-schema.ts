import type { OpenObject } from '../../core/protocol/capabilities.js';
import { isObject, isStringArray } from '../../core/protocol/json-rpc.js';
import { compileSchema } from '../schema/compile-schema.js';
import type { CompiledSchema } from '../schema/compiled-schema.interface.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';
import { FormSchemaError } from './errors.js';

/** A form's schema: the part for the client, and the validator of the user's input. */
export interface FormSchema {
  readonly requestedSchema: OpenObject;
  readonly validate: CompiledSchema['validate'];
}

/** The schema that the client receives. */
interface RequestedSchema extends OpenObject {
  readonly properties: { readonly [name: string]: OpenObject };
  readonly required?: readonly unknown[];
}

/** Most forms are declared once and sent often. */
const compiled = new WeakMap<object, FormSchema>();

/**
 * Returns a form schema, which is compiled on first use.
 *
 * @throws {FormSchemaError} if it is not a flat object of strings, numbers, booleans and choices
 * @see MCP client/elicitation, "Requested Schema"
 */
export function getFormSchema(source: SchemaSource): FormSchema {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const { jsonSchema, validate } = compileSchema(source, 'input');
  const requestedSchema = buildRequestedSchema(jsonSchema);
  const form = { requestedSchema, validate: createFormValidator(requestedSchema, validate) };
  compiled.set(source, form);
  return form;
}

function buildRequestedSchema(schema: OpenObject): RequestedSchema {
  const { properties, required } = schema;
  if (!isObject(properties)) throw new FormSchemaError('A form must be an object with "properties"');
  const members = Object.entries(properties).map(([name, member]) => [name, buildMember(name, member)]);
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    ...(Array.isArray(required) && { required }),
  };
}

function buildMember(name: string, member: unknown): OpenObject {
  if (isObject(member) && isChoiceOfOthers(member)) {
    throw new FormSchemaError(
      `The form field "${name}" accepts only certain numbers, which forms do not support: use a choice of strings`,
    );
  }
  const shown = isObject(member) ? findShown(member) : undefined;
  if (shown !== undefined) return shown;
  throw new FormSchemaError(
    `The form field "${name}" must be a string, a number, an integer, a boolean or a choice of strings`,
  );
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** The formats that forms support. Clients reject forms with unknown formats, so strings with another format are sent without it. */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Converts a property to the subset of JSON Schema that forms support. */
function findShown(member: OpenObject): OpenObject | undefined {
  const { type, format, items, ...rest } = member;
  if (type === 'boolean') return omitConst(member);
  if (type === 'array') return isObject(items) ? findMultipleChoice(member, items) : undefined;
  if (type === undefined || type === 'string') {
    const choice = findChoice(rest);
    if (choice !== undefined) return { type: 'string', ...choice };
  }
  if (!PRIMITIVES.has(type)) return undefined;
  return { type, ...rest, ...(FORMATS.has(format) && { format }) };
}

/** Forms do not support `const`. An invalid value is requested again. */
function omitConst({ const: _const, ...shown }: OpenObject): OpenObject {
  return shown;
}

/**
 * A client would display a field that accepts any number, and most input would be rejected. A boolean `const` would
 * be a switch that cannot be moved.
 */
function isChoiceOfOthers({ type, ...member }: OpenObject): boolean {
  if (type === 'boolean' && 'const' in member) return false;
  return type !== 'string' && PRIMITIVES.has(type) && ('const' in member || 'enum' in member);
}

/** Schema libraries declare titled choices with `anyOf`, and omit the type of other choices. */
function findChoice({ anyOf, oneOf = anyOf, const: only, ...rest }: OpenObject): OpenObject | undefined {
  if (typeof only === 'string') return { ...rest, enum: [only] };
  if (isStringArray(rest['enum'])) return rest;
  return isTitled(oneOf) ? { ...rest, oneOf: oneOf.map(buildOption) } : undefined;
}

function findMultipleChoice(member: OpenObject, items: OpenObject): OpenObject | undefined {
  if (isStringArray(items['enum'])) return { ...member, items: { type: 'string', enum: items['enum'] } };
  const { oneOf, anyOf = oneOf } = items;
  return isTitled(anyOf) ? { ...member, items: { anyOf: anyOf.map(buildOption) } } : undefined;
}

interface Option {
  readonly const: string;
  readonly title?: unknown;
}

function buildOption({ const: value, title }: Option): Option {
  return { const: value, title: typeof title === 'string' ? title : value };
}

function isTitled(options: unknown): options is readonly Option[] {
  if (!Array.isArray(options)) return false;
  return options.every((option) => isObject(option) && typeof option['const'] === 'string');
}

/**
 * Validates a form's content as the user meant it. Clients send an empty string or null for a blank field, which
 * counts as an absent property if it is optional. A time with an offset is converted to UTC, because some schemas
 * accept nothing else.
 */
function createFormValidator(
  { properties, required = [] }: RequestedSchema,
  validate: CompiledSchema['validate'],
): CompiledSchema['validate'] {
  const names = Object.keys(properties);
  const optional = new Set(
    names.filter((name) => !required.includes(name) && !hasBlankChoice(properties[name])),
  );
  const times = names.filter((name) => properties[name]?.['format'] === 'date-time');
  return async (content) => {
    const given = Object.fromEntries(
      Object.entries(content as OpenObject).filter(
        ([name, value]) => !(optional.has(name) && isBlank(value)),
      ),
    );
    const outcome = await validate(given);
    if (outcome.valid || times.length === 0) return outcome;
    const inUtc = await validate({ ...given, ...selectTimes(given, times) });
    return inUtc.valid ? inUtc : outcome;
  };
}

function isBlank(value: unknown): boolean {
  return value === '' || value === null;
}

function hasBlankChoice(member: OpenObject = {}): boolean {
  const choices = member['enum'] ?? member['oneOf'];
  return Array.isArray(choices) && choices.some((choice) => choice === '' || Object(choice)['const'] === '');
}

const WITH_OFFSET = /[+-]\d\d:\d\d$/;

/** Converts times with an offset to UTC (RFC 3339 §5.6). */
function selectTimes(content: OpenObject, names: readonly string[]): OpenObject {
  const times = names.flatMap((name) => {
    const value = content[name];
    if (typeof value !== 'string' || !WITH_OFFSET.test(value)) return [];
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? [] : [[name, time.toISOString()] as const];
  });
  return Object.fromEntries(times);
}
