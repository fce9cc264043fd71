/** Properties of Unicode would say it exactly, and cost every start their tables. A source that runs has valid names. */
const NAME = /^[\w$\u0080-\uffff]+/;

/** An arrow function whose one parameter stands without brackets. */
const BARE = /^(?:async\s+)?([\w$\u0080-\uffff]+)\s*=>/;

/** Reads the names of parameters from the source of a function. A parameter that takes its value apart has none. */
export function readParameterNames(method: (...args: never[]) => unknown): readonly (string | undefined)[] {
  const source = String(method);
  const [, bare] = BARE.exec(source) ?? [];
  if (bare !== undefined) return [bare];
  return splitParameters(source.slice(source.indexOf('(') + 1)).map((text) => NAME.exec(text.trim())?.[0]);
}

function splitParameters(source: string): readonly string[] {
  const parameters = [''];
  let depth = 0;
  for (const character of source) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) break;
    if (depth === 0 && character === ',') parameters.push('');
    else parameters.push(`${parameters.pop()}${character}`);
  }
  return parameters;
}
