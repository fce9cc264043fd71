/** Matches a sticky pattern at a position of a text. Returns `undefined` if it does not match there. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}
