/**
 * Tells whether a request has several headers of a name. Node keeps the first of some, and hides that there were more.
 *
 * @param rawHeaders names and values in turn, as Node gives them
 * @param name in lower case
 */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length) count += 1;
  }
  // Few other names are as long: most requests are told without reading one.
  return count > 1 && countHeaders(rawHeaders, name) > 1;
}

function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((candidate, index) => index % 2 === 0 && candidate.toLowerCase() === name).length;
}
