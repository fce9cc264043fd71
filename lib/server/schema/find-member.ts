/** Finds the member of a value at the end of a path, own members alone, or nothing. */
export function findMember(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const segment of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as Readonly<Record<PropertyKey, unknown>>)[segment];
  }
  return found;
}
