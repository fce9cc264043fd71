import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { makeLine } from '../../visible-text.js';

/** A choice, and its title. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** The kind of input that a field expects. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';

/** A field of a form elicitation. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly kind: FieldKind;
  readonly choices: readonly Choice[];
  readonly isRequired: boolean;
  /** The value of an empty input. */
  readonly proposal: unknown;
  /** The constraints, keyed by JSON Schema keyword. */
  readonly limits: { readonly [keyword: string]: unknown };
}

/**
 * Reads a form's fields.
 *
 * @see MCP 2026-07-28 client/elicitation
 */
export function parseFormFields(requestedSchema: unknown): readonly FormField[] {
  const schema = isObject(requestedSchema) ? requestedSchema : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) =>
    parseField(name, isObject(property) ? property : {}, required.includes(name)),
  );
}

function parseField(
  name: string,
  property: { readonly [keyword: string]: unknown },
  isRequired: boolean,
): FormField {
  const { title, description, default: proposal } = property;
  return {
    name,
    label: makeLine(typeof title === 'string' && title !== '' ? title : name),
    description: typeof description === 'string' ? makeLine(description) : undefined,
    ...parseKind(property),
    isRequired,
    proposal,
    limits: property,
  };
}

function parseKind(property: { readonly [keyword: string]: unknown }): Pick<FormField, 'kind' | 'choices'> {
  const { type, items } = property;
  if (type === 'array') return { kind: 'choices', choices: parseChoices(isObject(items) ? items : {}) };
  const choices = parseChoices(property);
  if (choices.length > 0) return { kind: 'choice', choices };
  const kind = type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
  return { kind, choices };
}

/** Titled choices are in `oneOf` or `anyOf`; older revisions use `enum` with `enumNames`. */
function parseChoices(schema: { readonly [keyword: string]: unknown }): readonly Choice[] {
  const titled = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as unknown[] | undefined;
  if (titled !== undefined) return titled.flatMap(parseTitledChoice);
  const values: readonly unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const names: readonly unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return values.flatMap((value, index) => {
    const name = names[index];
    return typeof value === 'string'
      ? [{ value, title: makeLine(typeof name === 'string' ? name : value) }]
      : [];
  });
}

function parseTitledChoice(choice: unknown): readonly Choice[] {
  if (!isObject(choice) || typeof choice['const'] !== 'string') return [];
  const { const: value, title } = choice as { readonly const: string; readonly title?: unknown };
  return [{ value, title: makeLine(typeof title === 'string' ? title : value) }];
}
