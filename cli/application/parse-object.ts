import { ApplicationError } from './application.error.js';

/**
 * Parses a file that must contain a JSON object without comments, as npm and the Nest CLI require.
 *
 * @throws {ApplicationError} if it is not one; the message contains the file name
 */
export function parseObject(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ApplicationError(`"${name}" is not valid JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApplicationError(`"${name}" must contain a JSON object`);
  }
  return { ...value };
}
