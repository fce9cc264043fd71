/** Is thrown if a command is called rightly, but a package that it stands on is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  constructor(packageName: string, cause: unknown) {
    super(`This command needs the package "${packageName}": run "npm install ${packageName}"`, { cause });
  }
}
