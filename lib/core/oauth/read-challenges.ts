import { findUrl } from './find-url.js';
import { matchAt } from './match-at.js';
import { ChallengeSyntaxError, parseChallenges, type Challenge } from './parse-challenges.js';

/** The challenges of a `WWW-Authenticate` header, as far as they can be read. */
export interface ReadChallenges {
  readonly challenges: readonly Challenge[];
  /** What is wrong with the header; absent if it is a list of challenges. With a problem, the challenges are only a hint. */
  readonly problem: string | undefined;
}

/**
 * Reads the challenges of a `WWW-Authenticate` header, even of a malformed one: without quotes or with single ones,
 * with semicolons, without a scheme, or cut off. A parameter with two different values is dropped.
 *
 * @see RFC 9110 §11.6.1
 */
export function readChallenges(header: string): ReadChallenges {
  try {
    return { challenges: parseChallenges(header), problem: undefined };
  } catch (error) {
    if (!(error instanceof ChallengeSyntaxError)) throw error;
    return { challenges: guessChallenges(header.slice(0, LONGEST_GUESS)), problem: error.message };
  }
}

/** A malformed header is read up to this length. */
const LONGEST_GUESS = 4096;

/** Any other word may be part of a string without quotes. */
const SCHEMES: ReadonlySet<string> = new Set(
  'apikey basic bearer digest dpop gnap hoba negotiate ntlm privatetoken vapid'.split(' '),
);

const SEPARATORS = /[\s,;:]+/y;
/** A name with a value: in double quotes, which may be doubled or escaped, in single quotes, or up to the next separator. */
const PARAMETER =
  /([\w.*-]+)\s*(?:=|:(?=\s*["']))\s*(?:"{2,}([^"]*)"+|\\"([^"\\]*)\\"|"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\s,;]+))/y;
const WORD = /[^\s,;]+/y;
/** The remains of unmatched quotes. */
const QUOTES = /^[\\"'<]+|[\\"'>]+$/g;

function guessChallenges(header: string): readonly Challenge[] {
  const guesses: Guess[] = [];
  let position = 0;
  while (position < header.length) {
    position = skip(SEPARATORS, header, position);
    const parameter = matchAt(PARAMETER, header, position);
    const word = parameter === undefined ? matchAt(WORD, header, position) : undefined;
    if (parameter !== undefined) addParameter(guesses, parameter);
    else if (word !== undefined) addScheme(guesses, word[0]);
    position = skip(parameter === undefined ? WORD : PARAMETER, header, position);
  }
  return guesses.map(({ scheme, parameters }) => ({ scheme, parameters: new Map(listClear(parameters)) }));
}

interface Guess {
  readonly scheme: string;
  /** Every value that a parameter was given. */
  readonly parameters: Map<string, Set<string>>;
}

function addScheme(guesses: Guess[], word: string): void {
  const scheme = word.toLowerCase().replace(/:$/, '');
  if (SCHEMES.has(scheme)) guesses.push({ scheme, parameters: new Map() });
}

/** Parameters before any scheme belong to the scheme of the token. */
function addParameter(guesses: Guess[], [, name = '', ...values]: RegExpExecArray): void {
  if (guesses.length === 0) guesses.push({ scheme: 'bearer', parameters: new Map() });
  const { parameters } = guesses.at(-1) as Guess;
  const [doubled, escaped, quoted, single, bare] = values;
  const value = doubled ?? escaped ?? quoted?.replace(/\\([^])/g, '$1') ?? single ?? readBare(bare);
  const key = name.toLowerCase();
  if (value !== undefined) parameters.set(key, (parameters.get(key) ?? new Set()).add(value.trim()));
}

/** A string without its closing quote may be cut off. A URL is used anyway: requesting it shows whether it is complete. */
function readBare(text = ''): string | undefined {
  const value = text.replace(QUOTES, '');
  return /^["']/.test(text) && findUrl(value) === undefined ? undefined : value;
}

function listClear(parameters: Guess['parameters']): readonly (readonly [string, string])[] {
  return [...parameters].flatMap(([name, [value = '', ...others]]) =>
    others.length === 0 ? [[name, value] as const] : [],
  );
}

/** Returns where a match at this position ends, or the position itself without one. */
function skip(pattern: RegExp, text: string, position: number): number {
  return matchAt(pattern, text, position) === undefined ? position : pattern.lastIndex;
}
