import { redactCredentials } from '../log/redact-credentials.js';

/** Attributes of a span. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean };

const MAXIMUM_CHARACTERS = 4096;

/** Cuts a caller's input to a length that exporters accept, and removes the credentials from its URLs. */
export function truncate(text: string): string {
  return redactCredentials(text, MAXIMUM_CHARACTERS - 1);
}

/** Cuts the strings among attributes. */
export function truncateAttributes(attributes: SpanAttributes): SpanAttributes {
  const bound = Object.entries(attributes).map(([name, value]) => [name, truncateValue(value)]);
  return Object.fromEntries(bound) as SpanAttributes;
}

/** Cuts the value of an attribute if it is a string. */
export function truncateValue<Value extends string | number | boolean>(value: Value): Value | string {
  return typeof value === 'string' ? truncate(value) : value;
}
