/** ES module packages that an application with a server loads. */
const NAMES = 'nestjs-mcp|@nestjs|jose|oauth4webapi';

/** What follows `node_modules/` in their paths, as a literal has it. In pnpm, each package has its own folder. */
const ALLOWED = String.raw`(\\.pnpm/[^/]+/node_modules/)?(${NAMES})/`;

/** The files of these packages, as the key of a transform in a literal. */
export const TRANSFORMED = String.raw`/node_modules/(${NAMES})/.+\\.js$`;

/** The pattern of an application that has none of its own. */
export const IGNORED = `/node_modules/(?!${ALLOWED})`;

/** Paths that must not be ignored, and paths of which a merged pattern must say what it said before. */
const LOADED = ['nestjs-mcp/dist', '@nestjs/core', 'jose/dist/webapi', 'oauth4webapi/build'].flatMap(
  listPlaces,
);
const OTHERS = ['express', '@types/node', 'jose-parser', 'nanoid', 'uuid/dist'].flatMap(listPlaces);

/** Where lookaheads of other authors stand: behind the folder, before its slash, or at the beginning of the path. */
const PREFIXES = ['', '/', '.*/node_modules/'];

/**
 * Lets Jest compile the packages although a pattern of `transformIgnorePatterns` ignores them: their names go into its negative
 * lookahead, or it gets one. Returns `undefined` if that cannot be done.
 *
 * @param literal the pattern as a literal has it, without its quotes
 */
export function mergeIgnored(literal: string): string | undefined {
  const before = compile(literal);
  if (before === undefined) return undefined;
  if (!LOADED.some((path) => before.test(path))) return literal;
  return listCandidates(literal).find((candidate) => {
    const after = compile(candidate);
    const isAllowed = after !== undefined && !LOADED.some((path) => after.test(path));
    return isAllowed && OTHERS.every((path) => after.test(path) === before.test(path));
  });
}

/** Tells whether a key of `transform` is that of the packages' files. Returns `undefined` if it is no pattern. */
export function isTransforming(literal: string): boolean | undefined {
  const pattern = compile(literal);
  return pattern && LOADED.every((path) => pattern.test(path));
}

/** Jest ignores a file if any pattern matches its path, wherever: a lookahead of another pattern helps nothing. */
function listCandidates(literal: string): readonly string[] {
  const insert = (at: number, text: string) => literal.slice(0, at) + text + literal.slice(at);
  const lookaheads = [...literal.matchAll(/\(\?!/g)].map(({ index }) => index + 3);
  const folders = [...literal.matchAll(/node_modules(?:\/|\[[^\]]*\])?/g)].map(
    ({ 0: { length }, index }) => index + length,
  );
  return PREFIXES.flatMap((prefix) => [
    ...lookaheads.map((at) => insert(at, `${prefix}${ALLOWED}|`)),
    ...folders.map((at) => insert(at, `(?!${prefix}${ALLOWED})`)),
  ]);
}

/** A literal of JSON and of JavaScript escapes what a pattern has in the same way. */
function compile(literal: string): RegExp | undefined {
  try {
    const text = literal.replace(/\\(.)/g, '$1').replaceAll('<rootDir>', '/app');
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

function listPlaces(folder: string): readonly string[] {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(folder) ?? [];
  return [
    `/app/node_modules/${folder}/index.js`,
    `/app/node_modules/.pnpm/${name.replace('/', '+')}@1.0.0/node_modules/${folder}/index.js`,
  ];
}
