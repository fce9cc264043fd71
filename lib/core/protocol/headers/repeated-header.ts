/**
 * Returns whether a request repeats a header. Node drops the repetitions of some headers.
 *
 * @param rawHeaders alternating names and values, as Node provides them
 * @param name in lower case
 */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length) count += 1;
  }
  // Few names have the same length, so most requests are decided without reading one.
  return count > 1 && countHeaders(rawHeaders, name) > 1;
}

function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((candidate, index) => index % 2 === 0 && candidate.toLowerCase() === name).length;
}
