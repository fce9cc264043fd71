/** Is thrown if the files of a migration cannot be written. */
export class WriteError extends Error {
  override readonly name = 'WriteError';

  /** @param lost where those are kept that could not be put back */
  constructor({ path, lost }: { readonly path: string; readonly lost: readonly string[] }, cause: unknown) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const state =
      lost.length === 0
        ? 'every file is as it was before'
        : `these were changed and could not be put back, and are kept as they were: ${lost.join(', ')}`;
    super(`"${path}" cannot be written (${reason}): ${state}`, { cause });
  }
}
