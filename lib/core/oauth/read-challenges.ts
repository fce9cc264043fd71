import { findUrl } from './secure-url.js';

/** One challenge in a `WWW-Authenticate` header. */
export interface Challenge {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** Its parameters, with names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A `WWW-Authenticate` header is not a list of challenges. */
export class ChallengeSyntaxError extends Error {
  override readonly name = 'ChallengeSyntaxError';
}

const TOKEN = String.raw`[!#$%&'*+\-.^_\`|~0-9A-Za-z]+`;
const SEPARATORS = /[ \t,]*/y;
const PARAMETER = new RegExp(
  String.raw`(${TOKEN})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"|(${TOKEN}))[ \t]*(?=,|$)`,
  'y',
);
const SCHEME = new RegExp(String.raw`(${TOKEN})(?=[ \t,]|$)`, 'y');
const CREDENTIALS = /[ \t]+[A-Za-z0-9\-._~+/]+=*[ \t]*(?=,|$)/y;

/** No real header is longer. */
const LONGEST_HEADER = 16_384;

/**
 * Reads the challenges in a `WWW-Authenticate` header, or in several that were joined with commas.
 *
 * @example
 * const [challenge] = parseChallenges('Bearer error="invalid_token"');
 * challenge?.parameters.get('error'); // 'invalid_token'
 *
 * @throws {ChallengeSyntaxError} if it is not a list of challenges, or a parameter is repeated
 * @see RFC 9110 §11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  if (header.length > LONGEST_HEADER) throw new ChallengeSyntaxError('The header is too long to be read');
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  let position = skip(header, 0);
  while (position < header.length) {
    const parameter = matchAt(PARAMETER, header, position);
    const current = challenges.at(-1);
    if (parameter !== undefined && current !== undefined) {
      addParameter(current.parameters, parameter);
      position = skip(header, PARAMETER.lastIndex);
      continue;
    }
    const scheme = matchAt(SCHEME, header, position)?.[1];
    if (scheme === undefined) {
      throw new ChallengeSyntaxError(
        `The header is not a list of challenges from character ${position} onward: put values that are not tokens in double quotes`,
      );
    }
    challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    const end = SCHEME.lastIndex;
    position = skip(header, matchAt(CREDENTIALS, header, end) === undefined ? end : CREDENTIALS.lastIndex);
  }
  return challenges;
}

function addParameter(parameters: Map<string, string>, match: RegExpExecArray): void {
  const [, name = '', quoted, plain = ''] = match;
  const key = name.toLowerCase();
  if (parameters.has(key)) throw new ChallengeSyntaxError(`The parameter "${key}" is repeated`);
  parameters.set(key, quoted === undefined ? plain : quoted.replace(/\\([^])/g, '$1'));
}

function skip(header: string, position: number): number {
  matchAt(SEPARATORS, header, position);
  return SEPARATORS.lastIndex;
}

/** The readable challenges in a `WWW-Authenticate` header. */
export interface ReadChallenges {
  readonly challenges: readonly Challenge[];
  /**
   * The problem with the header; absent if it is a list of challenges. With a problem, the challenges are only a
   * hint.
   */
  readonly problem: string | undefined;
}

/**
 * Reads the challenges in a `WWW-Authenticate` header, even a malformed one: without quotes or with single quotes,
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

/** Any other word may be part of an unquoted string. */
const SCHEMES: ReadonlySet<string> = new Set(
  'apikey basic bearer digest dpop gnap hoba negotiate ntlm privatetoken vapid'.split(' '),
);

const GUESS_SEPARATORS = /[\s,;:]+/y;
/** A name with a value: in double quotes, which may be doubled or escaped, in single quotes, or up to the next separator. */
const GUESS_PARAMETER =
  /([\w.*-]+)\s*(?:=|:(?=\s*["']))\s*(?:"{2,}([^"]*)"+|\\"([^"\\]*)\\"|"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\s,;]+))/y;
const WORD = /[^\s,;]+/y;
/** The remains of unmatched quotes. */
const QUOTES = /^[\\"'<]+|[\\"'>]+$/g;

function guessChallenges(header: string): readonly Challenge[] {
  const guesses: GuessedChallenge[] = [];
  let position = 0;
  while (position < header.length) {
    position = skipMatch(GUESS_SEPARATORS, header, position);
    const parameter = matchAt(GUESS_PARAMETER, header, position);
    const word = parameter === undefined ? matchAt(WORD, header, position) : undefined;
    if (parameter !== undefined) addGuess(guesses, parameter);
    else if (word !== undefined) addScheme(guesses, word[0]);
    position = skipMatch(parameter === undefined ? WORD : GUESS_PARAMETER, header, position);
  }
  return guesses.map(({ scheme, parameters }) => ({ scheme, parameters: new Map(listClear(parameters)) }));
}

interface GuessedChallenge {
  readonly scheme: string;
  /** Every value given for a parameter. */
  readonly parameters: Map<string, Set<string>>;
}

function addScheme(guesses: GuessedChallenge[], word: string): void {
  const scheme = word.toLowerCase().replace(/:$/, '');
  if (SCHEMES.has(scheme)) guesses.push({ scheme, parameters: new Map() });
}

/** Parameters before any scheme belong to the token's scheme. */
function addGuess(guesses: GuessedChallenge[], [, name = '', ...values]: RegExpExecArray): void {
  if (guesses.length === 0) guesses.push({ scheme: 'bearer', parameters: new Map() });
  const { parameters } = guesses.at(-1) as GuessedChallenge;
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

function listClear(parameters: GuessedChallenge['parameters']): readonly (readonly [string, string])[] {
  return [...parameters].flatMap(([name, [value = '', ...others]]) =>
    others.length === 0 ? [[name, value] as const] : [],
  );
}

/** Returns where a match at this position ends, or the position itself if there is no match. */
function skipMatch(pattern: RegExp, text: string, position: number): number {
  return matchAt(pattern, text, position) === undefined ? position : pattern.lastIndex;
}

/** Matches a sticky pattern at a position in a string. Returns `undefined` without a match. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}
