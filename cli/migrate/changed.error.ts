/** Is thrown if files of a migration are not as they were when they were read. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';

  constructor(paths: readonly string[]) {
    super(
      `Nothing was written: these files have changed since they were read: ${paths.join(', ')}. Run the command again`,
    );
  }
}
