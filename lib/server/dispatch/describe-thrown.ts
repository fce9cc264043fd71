/** Gives what the log has of something that was thrown: where it comes from, if it says so. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
