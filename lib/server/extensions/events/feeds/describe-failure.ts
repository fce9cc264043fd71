/** Says what went wrong, for the log; whatever was thrown, it does not throw itself. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : 'something was thrown that is no error';
}
