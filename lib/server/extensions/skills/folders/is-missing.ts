const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Tells whether a file or a folder is not there, as an error of the file system says it. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING.has((error as NodeJS.ErrnoException).code);
}
