import { ApplicationError } from './application.error.js';

/**
 * Reads a file that must be an object of JSON, as npm and the Nest CLI read theirs: without comments.
 *
 * @throws {ApplicationError} if it is not one, with its name
 */
export function parseObject(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ApplicationError(`"${name}" must be JSON, and is not`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApplicationError(`"${name}" must be an object, and is not`);
  }
  return { ...value };
}
