/** Finds what a value is once it was JSON, which may be nothing: JSON has no cycles, no functions and no bigints. */
export function findJsonCopy(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
