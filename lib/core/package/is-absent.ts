import { types } from 'node:util';

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Tells whether a package could not be loaded because it is not there: in Node, in a bundle or an executable made without it. A
 * package that is there and lacks one of its own dependencies is another matter.
 *
 * @param name the package, as it is installed
 * @param fault what loading it threw
 */
export function isAbsent(name: string, fault: unknown): boolean {
  // Jest loads packages outside the realm of the tests, where `Error` is another class. Errors of module hooks are not native.
  if (!(fault instanceof Error || types.isNativeError(fault))) return false;
  const { code, message } = fault as NodeJS.ErrnoException;
  const [, missing] =
    /^(?:Cannot find (?:package|module) ['"]|Dynamic require of ['"]|No such built-in module: )([^'"]+)/.exec(
      message,
    ) ?? [];
  if (missing !== undefined) return missing === name || missing.startsWith(`${name}/`);
  return CODES.includes(code);
}
