import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isStringArray } from '../../../core/protocol/is-string-array.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { compileSchema } from '../../schema/compile-schema.js';
import type { CompiledSchema } from '../../schema/compiled-schema.interface.js';
import type { SchemaSource } from '../../settings/schema-source.interface.js';
import { FormSchemaError } from './form-schema.error.js';

/** The schema of a form: the part for the client, and the validator of its answer. */
export interface FormSchema {
  readonly requestedSchema: OpenObject;
  readonly validate: CompiledSchema['validate'];
}

/** Forms are mostly written once and asked often. */
const compiled = new WeakMap<object, FormSchema>();

/**
 * Returns the schema of a form, compiled when it is first asked for.
 *
 * @throws {FormSchemaError} if it is not a flat object of strings, numbers, booleans and choices
 * @see MCP client/elicitation, "Requested Schema"
 */
export function getFormSchema(source: SchemaSource): FormSchema {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const { jsonSchema, validate } = compileSchema(source, 'input');
  const form = { requestedSchema: buildRequestedSchema(jsonSchema), validate };
  compiled.set(source, form);
  return form;
}

function buildRequestedSchema(schema: OpenObject): OpenObject {
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
  const shown = isObject(member) ? findShown(member) : undefined;
  if (shown !== undefined) return shown;
  throw new FormSchemaError(
    `The member "${name}" of a form must be a string, a number, an integer, a boolean or a choice of strings`,
  );
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Strings of another format are shown as any text: clients refuse a form with a format that they do not know. */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Finds how a member is shown: in the few ways that a form has of saying what it wants. */
function findShown(member: OpenObject): OpenObject | undefined {
  const { type, format, items, ...rest } = member;
  if (type === 'array') return isObject(items) ? findMultipleChoice(member, items) : undefined;
  if (type === undefined || type === 'string') {
    const choice = findChoice(rest);
    if (choice !== undefined) return { type: 'string', ...choice };
  }
  if (!PRIMITIVES.has(type)) return undefined;
  return { type, ...rest, ...(FORMATS.has(format) && { format }) };
}

/** Schema libraries write titled choices with `anyOf`, and leave out the type of the others. */
function findChoice({ anyOf, oneOf = anyOf, ...rest }: OpenObject): OpenObject | undefined {
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
