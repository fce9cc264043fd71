/** Removes `undefined` values, which applications pass for unset variables, so that the defaults apply. */
export function onlyGiven<Options extends object>(
  options: Options | undefined,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
}
