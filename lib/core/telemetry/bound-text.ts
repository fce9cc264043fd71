import { redactCredentials } from '../log/redact-credentials.js';

/** What is said on a span. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean };

const MAXIMUM_CHARACTERS = 4096;

/** Cuts what a caller may have chosen to a length that exporters take, and leaves out the credentials of its URLs. */
export function boundText(text: string): string {
  return redactCredentials(text, MAXIMUM_CHARACTERS - 1);
}

/** Cuts the texts among attributes. */
export function boundAttributes(attributes: SpanAttributes): SpanAttributes {
  const bound = Object.entries(attributes).map(([name, value]) => [name, boundValue(value)]);
  return Object.fromEntries(bound) as SpanAttributes;
}

/** Cuts the value of an attribute if it is a text. */
export function boundValue<Value extends string | number | boolean>(value: Value): Value | string {
  return typeof value === 'string' ? boundText(value) : value;
}
