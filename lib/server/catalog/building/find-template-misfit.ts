/** A variable as routes of HTTP write it. */
const OF_ROUTES = /(?<=\/):([A-Za-z_]\w*)/g;

/** Says that a URI template has no variable, so that only one URI fits it. Returns `undefined` if it has one. */
export function findTemplateMisfit(uriTemplate: string, variables: readonly string[]): string | undefined {
  if (variables.length > 0) return undefined;
  const written = uriTemplate.replaceAll(OF_ROUTES, '{$1}');
  const remedy =
    written === uriTemplate ? 'write it with one such as "{id}", or use @Resource()' : `write "${written}"`;
  return `"${uriTemplate}" has no variable: ${remedy}`;
}
