/** Returns what an error says, or any other value that was thrown, as text. The text may come from a client. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
