const REMEDY = 'send it once, as "Authorization: Bearer <token>"';

/** What callers get wrong, and how it looks. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^bearer\s+bearer(?:\s|$)/i, 'names the scheme "Bearer" twice'],
  [/^bearer\s*$/i, 'has no token after "Bearer"'],
  [/^["']?bearer\b/i, 'is not "Bearer", a space and a token'],
  [/^\S*$/, 'names no scheme'],
  [/^/, 'is of a scheme that is not taken here'],
];

/**
 * Says for the log what is wrong with an `Authorization` header that brings no token. It says nothing of what stands in the
 * header.
 *
 * @param authorization nothing if there are several
 */
export function explainAuthorization(authorization: string | undefined): string {
  const [, mistake] =
    authorization === undefined
      ? [undefined, 'came several times']
      : (MISTAKES.find(([pattern]) => pattern.test(authorization)) ?? []);
  return `A request was refused whose "Authorization" header ${mistake}: ${REMEDY}`;
}

/** The same of a token that came in the query. */
export const TOKEN_IN_QUERY = `A request was refused whose query has an "access_token": ${REMEDY}`;
