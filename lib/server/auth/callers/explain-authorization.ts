const REMEDY = 'send it once, as "Authorization: Bearer <token>"';

/** What callers get wrong, and how it looks. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^bearer\s+bearer(?:\s|$)/i, 'names the scheme "Bearer" twice'],
  [/^bearer\s*$/i, 'has no token after "Bearer"'],
  [/^["']?bearer\b/i, 'is not "Bearer", a space and a token'],
  [/^\S*$/, 'names no scheme'],
];

/**
 * Says for the log what is wrong with an `Authorization` header that brings no token; nothing where it is of another scheme.
 * It says nothing of what stands in the header.
 *
 * @param authorization nothing where there are several
 */
export function explainAuthorization(authorization: string | undefined): string | undefined {
  const [, mistake] =
    authorization === undefined
      ? [undefined, 'came several times']
      : (MISTAKES.find(([pattern]) => pattern.test(authorization)) ?? []);
  return mistake && `A request was refused whose "Authorization" header ${mistake}: ${REMEDY}`;
}
