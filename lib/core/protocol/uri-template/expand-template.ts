import {
  type Expression,
  type Operator,
  type ParsedTemplate,
  UriTemplateError,
  type Variable,
} from './parse-template.js';

type Single = string | number | boolean;

/** A value to expand: a single one, a list, or an associative array; `undefined` and `null` expand to nothing. */
export type TemplateValue =
  | Single
  | readonly (Single | null | undefined)[]
  | Readonly<{ [key: string]: Single | null | undefined }>
  | null
  | undefined;

/** The values of a template's variables, by name. */
export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** A defined value: a single string, or the items of a list or pairs of an associative array. */
type Defined =
  | { readonly text: string }
  | { readonly members: readonly string[] }
  | { readonly pairs: readonly (readonly [string, string])[] };

/**
 * Expands a template with values (RFC 6570 §3).
 *
 * @throws {UriTemplateError} if a prefix modifier is applied to a list or an associative array
 */
export function expandTemplate(template: ParsedTemplate, values: TemplateValues): string {
  const expanded = template.parts.map((part) =>
    'text' in part ? encode(part.text, true) : expandExpression(part, values, template.text),
  );
  return expanded.join('');
}

function expandExpression({ operator, variables }: Expression, values: TemplateValues, text: string): string {
  const pieces = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? selectDefined(values[variable.name]) : undefined;
    if (value === undefined) return [];
    if (variable.maxLength < Infinity && !('text' in value)) {
      throw new UriTemplateError(
        text,
        `truncates "${variable.name}", but its value is a list or an associative array`,
      );
    }
    return variable.isExploded ? explode(variable, value, operator) : [join(variable, value, operator)];
  });
  return pieces.length === 0 ? '' : operator.first + pieces.join(operator.separator);
}

/** Drops values that are undefined under RFC 6570 §2.3: no value, an empty list, undefined members. */
function selectDefined(value: TemplateValue): Defined | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return { text: String(value) };
  if (isList(value)) {
    const members = value.filter((member) => member !== undefined && member !== null).map(String);
    return members.length === 0 ? undefined : { members };
  }
  const pairs = Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null ? [] : [[key, String(member)] as const],
  );
  return pairs.length === 0 ? undefined : { pairs };
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Writes each member separately (RFC 6570 §3.2.1, "explode"). */
function explode({ name }: Variable, value: Defined, operator: Operator): readonly string[] {
  const { isNamed, keepsReserved } = operator;
  if ('pairs' in value) {
    const ifEmpty = isNamed ? operator.ifEmpty : '=';
    return value.pairs.map(([key, member]) =>
      formatPair(encode(key, keepsReserved), encode(member, keepsReserved), ifEmpty),
    );
  }
  const members = 'text' in value ? [value.text] : value.members;
  const encoded = members.map((member) => encode(member, keepsReserved));
  return isNamed ? encoded.map((member) => formatPair(name, member, operator.ifEmpty)) : encoded;
}

/** Writes the value as one, its members separated by commas. */
function join({ name, maxLength }: Variable, value: Defined, operator: Operator): string {
  const members = selectMembers(value, maxLength);
  const joined = members.map((member) => encode(member, operator.keepsReserved)).join(',');
  return operator.isNamed ? formatPair(name, joined, operator.ifEmpty) : joined;
}

function selectMembers(value: Defined, maxLength: number): readonly string[] {
  if ('members' in value) return value.members;
  if ('pairs' in value) return value.pairs.flat();
  return [maxLength === Infinity ? value.text : [...value.text].slice(0, maxLength).join('')];
}

function formatPair(name: string, encoded: string, ifEmpty: '' | '='): string {
  return encoded === '' ? name + ifEmpty : `${name}=${encoded}`;
}

/** Percent-encodes all characters except unreserved ones, or all except unreserved, reserved and encoded ones. */
function encode(text: string, keepsReserved: boolean): string {
  return keepsReserved
    ? text.replace(/%[\dA-Fa-f]{2}|[^\w\-.~:/?#[\]@!$&'()*+,;=]/gu, (one) =>
        one.length === 3 ? one : percentEncode(one),
      )
    : text.replace(/[^\w\-.~]/gu, percentEncode);
}

function percentEncode(character: string): string {
  return Buffer.from(character, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&');
}
