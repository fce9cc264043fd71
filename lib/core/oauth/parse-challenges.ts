import { matchAt } from './match-at.js';

/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** The scheme in lower case. */
  readonly scheme: string;
  /** Its parameters, their names in lower case. */
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
 * Reads the challenges of a `WWW-Authenticate` header, or of several that were joined by commas.
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
        `The header is no list of challenges from character ${position} on: put what is no token in double quotes`,
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
