/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** The JSON Schema keywords that forms use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly enumNames?: readonly string[];
  readonly format?: string;
  readonly properties?: { readonly [name: string]: JsonSchema | boolean };
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

/** A value to choose, and its title. */
export interface Choice {
  readonly value: Json;
  readonly label: string;
}

/** The field for a value. */
export type Field =
  | { readonly kind: 'text'; readonly inputType: 'text' | 'date' | 'email' | 'url' | 'password' }
  | { readonly kind: 'number' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'list'; readonly items: JsonSchema }
  | { readonly kind: 'object'; readonly properties: readonly (readonly [string, JsonSchema])[] }
  | { readonly kind: 'json' };

const YES_NO: readonly Choice[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
];

const INPUT_TYPES = { date: 'date', email: 'email', uri: 'url', password: 'password' } as const;

/** Selects the field for a value. A value without a suitable field is entered as JSON. */
export function selectField(schema: JsonSchema): Field {
  const choices = listChoices(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  switch (findType(schema)) {
    case 'string':
      return { kind: 'text', inputType: selectInputType(schema.format) };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'choice', choices: YES_NO };
    case 'array':
      return selectListField(schema);
    case 'object':
      return selectObjectField(schema);
    default:
      return { kind: 'json' };
  }
}

function selectInputType(format = ''): Extract<Field, { readonly kind: 'text' }>['inputType'] {
  return Object.hasOwn(INPUT_TYPES, format) ? INPUT_TYPES[format as keyof typeof INPUT_TYPES] : 'text';
}

function selectListField({ items }: JsonSchema): Field {
  if (typeof items !== 'object') return { kind: 'json' };
  const choices = listChoices(items);
  return choices === undefined ? { kind: 'list', items } : { kind: 'choices', choices };
}

function selectObjectField({ properties, anyOf, oneOf, allOf }: JsonSchema): Field {
  if (properties === undefined || (anyOf ?? oneOf ?? allOf) !== undefined) return { kind: 'json' };
  const entries = Object.entries(properties);
  if (entries.length === 0) return { kind: 'json' };
  return {
    kind: 'object',
    properties: entries.map(([name, schema]) => [name, typeof schema === 'object' ? schema : {}]),
  };
}

/** Returns the choices of an enumeration, in any of its forms in schemas. */
function listChoices({
  const: constant,
  enum: values,
  enumNames,
  anyOf,
  oneOf,
  title,
}: JsonSchema): readonly Choice[] | undefined {
  if (constant !== undefined) return [{ value: constant, label: title ?? formatValue(constant) }];
  if (values !== undefined) {
    return values.map((value, index) => ({ value, label: enumNames?.[index] ?? formatValue(value) }));
  }
  const all = (oneOf ?? anyOf)?.map(listChoices);
  if (all === undefined || all.length === 0 || all.some((one) => one === undefined)) return undefined;
  return all.flatMap((one) => one ?? []);
}

/** Returns a schema type. For a nullable value, null is entered as an empty field. */
function findType({ type, properties, anyOf, oneOf }: JsonSchema): string | undefined {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const named = types.filter((one) => one !== 'null');
  if (named.length === 1) return named[0];
  if (named.length > 1 || (anyOf ?? oneOf) !== undefined) return undefined;
  return properties === undefined ? undefined : 'object';
}

/** Formats a value for people. */
export function formatValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the initial value. */
export function buildInitial(schema: JsonSchema): Json | undefined {
  if (schema.default !== undefined) return schema.default;
  const field = selectField(schema);
  if (field.kind !== 'object') return undefined;
  const entries = field.properties.flatMap(([name, inner]) => {
    const value = buildInitial(inner);
    return value === undefined || isEmptyObject(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The maximum depth of an example, because a schema may be recursive. */
const EXAMPLE_DEPTH = 6;

/** Builds an example that matches a schema, with all its properties. */
export function buildExample(schema: JsonSchema, depth = 0): Json {
  const { default: given, examples = [], items } = schema;
  const [example = given] = examples;
  if (example !== undefined) return example;
  if (depth > EXAMPLE_DEPTH) return null;
  const field = selectField(schema);
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(
        field.properties.map(([name, inner]) => [name, buildExample(inner, depth + 1)]),
      );
    case 'choice':
      return field.choices[0]?.value ?? null;
    case 'choices':
      return field.choices.slice(0, 1).map(({ value }) => value);
    case 'list':
      return [buildExample(typeof items === 'object' ? items : {}, depth + 1)];
    case 'number':
      return schema.minimum !== undefined && Math.abs(schema.minimum) < MOST_PLAIN ? schema.minimum : 1;
    case 'text':
      return EXAMPLE_TEXTS[schema.format ?? ''] ?? 'text';
    case 'json':
      return {};
  }
}

/** Larger limits count as missing. */
const MOST_PLAIN = 1_000_000;

const EXAMPLE_TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function isEmptyObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
