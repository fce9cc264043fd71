/** Returns the message of an error, or any other thrown value as a string. It may contain client input. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
