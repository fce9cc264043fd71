const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Tells whether a package could not be loaded because it is not there: in Node, or in a bundle that was made without it.
 *
 * @param fault what loading it threw
 */
export function isAbsent(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const { code, message } = fault as NodeJS.ErrnoException;
  return CODES.includes(code) || /^Dynamic require of .* is not supported/.test(message);
}
