/** Is thrown if a command is called rightly, but a package that it stands on is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  /** @param installer the command that installs it */
  constructor(packageName: string, cause: unknown, installer = 'npm install') {
    super(`This command needs the package "${packageName}": run "${installer} ${packageName}"`, { cause });
  }
}
