const LONGEST = 2000;

/**
 * Matches everything outside the safe ranges. Characters that start a line, move the cursor, or change the text
 * direction would mislead a reader. Lone surrogates are not characters, and databases refuse them. The ranges are
 * numeric because Unicode property lookups would slow down startup.
 */
const UNSAFE = /[^ -~\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\u{10ffff}]/gu;

/**
 * Escapes a string that may contain client input for the log, the audit or a span. The result is on one line, without
 * URL credentials, and truncated if it is long.
 */
export function escapeText(text: string, longest = LONGEST): string {
  const cut = redactCredentials(text, longest);
  // Hardly any string contains one of them, and a search costs a third as much as a replacement.
  return cut.search(UNSAFE) === -1 ? cut : cut.replace(UNSAFE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The replacement for values that are not recorded (OpenTelemetry, `url.full`). */
export const REDACTED = 'REDACTED';

/**
 * Parameters whose values grant access, identified by part of their names: cloud signatures and security tokens,
 * tokens, secrets and passwords.
 */
const SECRET_PART =
  /signature|credential|token|secret|passw|passphrase|passcode|pwd|(?:api|access|private|shared|signing|account|subscription|function)[-_.]?key|auth(?!or(?!i[sz]))|bearer|jwt|assertion|verifier|session[-_.]?id|access[-_.]?id|cookie|saml|hdn[te]a/i;

/** Names that are secrets only if they are whole words. */
const SECRET_WORD = /(?:^|[-_.])(?:sig|sign|hmac|code|key|pass|pw|pin|otp|sid|sas|session|apikey)$/i;

/** The authority of a URL up to the last `@` in it, even if the URL is a percent-encoded part of another. */
const USER_INFO = /(?<=(?::|%3a)(?:[/\\]|%2f){2})(?:(?!%2f|%3f|%23)[^\s/?#\\"<>])+(?:@|%40)/gi;

/** A password with characters that end an authority, such as `/`. Digits after the colon are a port. */
const UNENCODED_USER_INFO =
  /(?<=:[/\\]{2})(?![^\s/?#\\@:]*:\d+[/?#\\])[^\s/?#\\@:"<>]*:(?:(?!:[/\\]{2})[^\s@"<>]){0,1024}@/gi;

/** A parameter of a query or fragment, or of part of a path, even if the URL is a percent-encoded part of another. */
const PARAMETER =
  /(?<=[?&;#]|%3f|%26|%23|%3b)((?:[\w.~[\]+-]|%(?!3d|26|3f|23|3b)[\da-f]{2})+)(=|%3d)(?:(?!%26|%23|%3f|%3b)[^\s&;?#"<>])+/gi;

/** A truncated authority may end before the `@` that makes its beginning a password. */
const CUT_AUTHORITY = /(?<=(?::|%3a)(?:[/\\]|%2f){2})(?:(?!%2f|%3f|%23)[^\s/?#\\"<>])*$/i;

/**
 * Replaces the credentials in all URLs of a string: user information, and the parameters of signed and authorized
 * URLs. The rest is left unchanged.
 *
 * @param longest the maximum number of characters to return. A longer string is cut, and ends with `…`
 *
 * @see OpenTelemetry semantic conventions, `url.full` and `url.query`
 */
export function redactCredentials(text: string, longest = Infinity): string {
  if (text.length <= longest) return replaceAll(text);
  const cut = replaceAll(text.slice(0, longest).replace(CUT_AUTHORITY, REDACTED));
  return `${cut.slice(0, longest)}…`;
}

/** Replaces the credentials in the URLs of all strings within a value, in place. */
export function redactWithin(value: unknown): unknown {
  if (typeof value === 'string') return redactCredentials(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'string' || typeof member === 'object') members[name] = redactWithin(member);
  }
  return value;
}

/** Hardly any string contains a credential, and searching for typical characters costs far less than matching the patterns. */
function replaceAll(text: string): string {
  const isEncoded = text.includes('%');
  const mayName = isEncoded || text.includes('@');
  const mayHaveParameters = isEncoded || text.includes('=');
  if (!mayName && !mayHaveParameters) return text;
  const named = mayName
    ? text.replace(USER_INFO, (found) => REDACTED + found.slice(found.endsWith('@') ? -1 : -3))
    : text;
  const anonymous = mayName ? named.replace(UNENCODED_USER_INFO, `${REDACTED}@`) : named;
  return mayHaveParameters ? anonymous.replace(PARAMETER, replaceParameter) : anonymous;
}

function replaceParameter(found: string, name: string, equals: string): string {
  const plain = decode(name);
  return SECRET_PART.test(plain) || SECRET_WORD.test(plain) ? `${name}${equals}${REDACTED}` : found;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
