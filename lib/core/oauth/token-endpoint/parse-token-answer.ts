import { isHeaderWord } from '../../words/is-header-word.js';
import { isEmpty, omitEmpty } from '../omit-empty.js';
import { isScope, parseScope } from '../scope.js';
import { TokenEndpointError } from './token-endpoint.error.js';

/** What a token endpoint gave. */
export interface TokenAnswer {
  readonly accessToken: string;
  /** How the token is sent, in lower case. */
  readonly tokenType: string;
  /** By what the next one is got. */
  readonly refreshToken: string | undefined;
  /** What kind of token an exchange gave (RFC 8693 §2.2.1). */
  readonly issuedTokenType: string | undefined;
  readonly expiresInSeconds: number | undefined;
  /** The scopes of the token; absent if they are the requested ones. */
  readonly scopes: readonly string[] | undefined;
}

type Members = { readonly [member: string]: unknown };

/** How a token is sent, as far as anybody here knows; `n_a` is no access token (RFC 8693 §2.2.1). */
const TOKEN_TYPES: ReadonlySet<string> = new Set(['bearer', 'dpop', 'n_a']);

/**
 * Reads the answer of a token endpoint by its content. A token counts with any status of success, and an error with any
 * status.
 *
 * @param hide takes out of a text of the answer what was sent and is secret
 * @throws {TokenEndpointError} if there is no token
 * @see RFC 6749 §5
 */
export async function parseTokenAnswer(
  response: Response,
  hide: (text: string) => string,
): Promise<TokenAnswer> {
  const { status, ok } = response;
  const members = omitEmpty(await readMembers(response));
  if (!ok || Boolean(members['error'])) throw createRefusal(status, members, hide);
  const answer = buildAnswer(members);
  // What is no answer may hold a token.
  if (answer === undefined)
    throw new TokenEndpointError(status, 'invalid_response', 'the answer is none of RFC 6749 §5.1');
  return answer;
}

/** Some endpoints answer with a form, like the request. Other media types do not matter. */
async function readMembers(response: Response): Promise<Members> {
  const text = await response.text().catch(() => '');
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(response.headers.get('content-type') ?? '');
  return parseObject(text) ?? (isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : {});
}

function parseObject(text: string): Members | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? { ...parsed }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a token endpoint says may quote what it was sent. */
function createRefusal(
  status: number,
  { error, error_description: description, claims }: Members,
  hide: (text: string) => string,
): TokenEndpointError {
  return new TokenEndpointError(
    status,
    typeof error === 'string' ? hide(error) : 'invalid_response',
    typeof description === 'string' ? hide(description) : undefined,
    typeof claims === 'string' ? hide(claims) : undefined,
  );
}

/** Further members of an answer are used if they are valid. Only an invalid lifetime makes a token unusable. */
function buildAnswer(members: Members): TokenAnswer | undefined {
  const { access_token: accessToken, token_type: type, issued_token_type: issued } = members;
  const { refresh_token: refreshToken, expires_in: expiresIn, scope } = members;
  const tokenType = typeof type === 'string' ? type.trim().toLowerCase() : '';
  const expiresInSeconds = readNumber(expiresIn);
  // Whoever kept a token that no header can hold could neither use it nor get rid of it.
  if (!isHeaderWord(accessToken)) return undefined;
  if (!TOKEN_TYPES.has(tokenType)) return undefined;
  if (Number.isNaN(expiresInSeconds)) return undefined;
  return {
    accessToken,
    tokenType,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    issuedTokenType: typeof issued === 'string' ? issued : undefined,
    // What is said to end before it begins has no end that is known.
    expiresInSeconds: expiresInSeconds !== undefined && expiresInSeconds >= 0 ? expiresInSeconds : undefined,
    scopes: readScopes(scope),
  };
}

/** Many write numbers as texts. */
function readNumber(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

function readScopes(scope: unknown): readonly string[] | undefined {
  if (typeof scope === 'string') return parseScope(scope).filter(isScope);
  return Array.isArray(scope) ? scope.filter((one) => !isEmpty(one)).filter(isScope) : undefined;
}
