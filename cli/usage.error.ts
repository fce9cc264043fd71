/** Is thrown for a call of the command line that asks for nothing that can be done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
