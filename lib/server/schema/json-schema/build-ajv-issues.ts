import type { ErrorObject } from 'ajv';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ValidationIssue } from '../compiled-schema.interface.js';
import {
  describeValue,
  shorten,
  formatExpected,
  formatList,
  formatMissing,
  formatNoAlternative,
  formatUnknownName,
  MOST_ISSUES,
} from '../validation-issues.js';
import { parsePointer } from '../../../core/protocol/json-schema.js';

/** Converts ajv errors to issues, each with its property path. */
export function buildAjvIssues(errors: readonly ErrorObject[]): ValidationIssue[] {
  const overmatched = errors.filter(({ keyword, params }) => keyword === 'oneOf' && params['passingSchemas']);
  return errors
    .filter((error) => !SUMMARIES.has(error.keyword) && !overmatched.some((one) => isInside(error, one)))
    .slice(0, MOST_ISSUES)
    .map((error) => ({
      path: [...parsePointer(error.instancePath), ...findMemberName(error)].join('.'),
      message: `${formatMessage(error)}${formatAlternative(error.schemaPath)}`,
    }));
}

/** If too many alternatives match, the requirements of the others do not matter. */
function isInside(error: ErrorObject, oneOf: ErrorObject): boolean {
  const { schemaPath, instancePath } = error;
  return schemaPath.startsWith(`${oneOf.schemaPath}/`) && instancePath.startsWith(oneOf.instancePath);
}

/** Keywords whose errors only refer to errors reported before them. */
const SUMMARIES = new Set(['if']);

/** Parameters of ajv errors that contain the name of a property. */
const NAME_PARAMETERS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'];

function findMemberName({ params }: ErrorObject): string[] {
  return NAME_PARAMETERS.map((name): unknown => params[name]).filter((name) => typeof name === 'string');
}

type Format = (error: ErrorObject, parameters: Readonly<Record<string, unknown>>) => string;

const FORMATS: Readonly<Record<string, Format>> = {
  type: ({ data }, { type }) => formatExpected([type].flat().join(' or '), data),
  enum: ({ data }, { allowedValues }) =>
    formatExpected(`one of ${formatList(allowedValues as unknown[])}`, data),
  const: ({ data }, { allowedValue }) => formatExpected(formatList([allowedValue]), data),
  format: ({ data }, { format }) => formatExpected(`a string in the format "${String(format)}"`, data),
  pattern: ({ data }, { pattern }) =>
    formatExpected(`a string that matches the pattern ${shorten(String(pattern))}`, data),
  required: ({ parentSchema }, { missingProperty }) =>
    formatMissing(findType(parentSchema, String(missingProperty))),
  dependentRequired: (_, { property }) => `${formatMissing()}, because "${String(property)}" is present`,
  additionalProperties: ({ parentSchema }, { additionalProperty }) =>
    formatUnknownName(String(additionalProperty), listProperties(parentSchema)),
  unevaluatedProperties: ({ parentSchema }, { unevaluatedProperty }) =>
    formatUnknownName(String(unevaluatedProperty), listProperties(parentSchema)),
  propertyNames: (_, { propertyName }) => `has a name that is not allowed: ${describeValue(propertyName)}`,
  'false schema': () => 'is not allowed here',
  not: ({ data }) => `has a form that is not allowed, received ${describeValue(data)}`,
  anyOf: formatNoAlternative,
  oneOf: (_, { passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? `matches the alternatives ${passingSchemas.map((at: number) => at + 1).join(' and ')}, but only one may match`
      : 'matches none of the alternatives, but must match exactly one',
};

function formatMessage(error: ErrorObject): string {
  const format = FORMATS[error.keyword];
  if (format !== undefined) return format(error, error.params);
  return `${error.message ?? 'is not valid'}, received ${describeValue(error.data)}`;
}

/** Formats which alternative an error belongs to, because errors from all alternatives are reported. */
function formatAlternative(schemaPath: string): string {
  const found = /.*\/(?:anyOf|oneOf)\/(\d+)\//.exec(schemaPath);
  return found === null ? '' : ` (alternative ${Number(found[1]) + 1})`;
}

function findType(schema: unknown, property: string): string | undefined {
  const { properties } = isObject(schema) ? schema : {};
  const described =
    isObject(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
  const type = isObject(described) ? described['type'] : undefined;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.map(String).join(' or ') : undefined;
}

function listProperties(schema: unknown): string[] {
  const { properties } = isObject(schema) ? schema : {};
  return isObject(properties) ? Object.keys(properties) : [];
}
