import type { OpenObject } from '../protocol/capabilities.js';
import { isObject } from '../protocol/json-rpc.js';
import { compileSchema } from '../schema/compile-schema.js';
import type { CompiledSchema } from '../schema/compiled-schema.interface.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';

/** A schema of a form: what the client is shown, and what its answer is checked with. */
export interface FormSchema {
  readonly requestedSchema: OpenObject;
  readonly validate: CompiledSchema['validate'];
}

/** A form asks for something that a client cannot show. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}

/** Forms are mostly written once and asked often. */
const compiled = new WeakMap<object, FormSchema>();

/**
 * Gives the schema of a form, compiled when it is first asked for.
 *
 * @throws {FormSchemaError} where it is not a flat object of strings, numbers, booleans and choices
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
  for (const [name, property] of Object.entries(properties)) assertPrimitive(name, property);
  return { type: 'object', properties, ...(Array.isArray(required) && { required }) };
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function assertPrimitive(name: string, property: unknown): void {
  if (isObject(property) && (PRIMITIVES.has(property['type']) || isMultipleChoice(property))) return;
  if (isObject(property) && isChoice(property)) return;
  throw new FormSchemaError(
    `The member "${name}" of a form must be a string, a number, an integer, a boolean or a choice of strings`,
  );
}

function isChoice({ enum: values, oneOf }: OpenObject): boolean {
  return Array.isArray(values) || Array.isArray(oneOf);
}

function isMultipleChoice({ type, items }: OpenObject): boolean {
  if (type !== 'array' || !isObject(items)) return false;
  return Array.isArray(items['enum']) || Array.isArray(items['anyOf']);
}
