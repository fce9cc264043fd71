/** The page that a browser shows after the redirect. */
export interface LoopbackPage {
  readonly status: number;
  readonly heading: string;
  readonly text: string;
}

/** The user has logged in; the rest is between the authorization server and the client. */
export const DONE: LoopbackPage = {
  status: 200,
  heading: 'You are logged in',
  text: 'You can close this window and go back to the program that asked you to log in: it continues from here.',
};

/** The authorization server or the user refused. */
export const REFUSED: LoopbackPage = {
  status: 200,
  heading: 'The login was refused',
  text: 'You can close this window and go back to the program that asked you to log in: it shows the reason and the fix.',
};

/** The request does not belong to the pending login. */
export const FOREIGN: LoopbackPage = {
  status: 400,
  heading: 'This is a different login',
  text: 'The response belongs to a different login. Start again in the program that asked you to log in.',
};

/** There is no such page. */
export const ABSENT: LoopbackPage = {
  status: 404,
  heading: 'There is nothing here',
  text: 'This address only receives login redirects.',
};

/** The headers of every page, which loads nothing, is not cached, and sends no referrer. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;

/** Formats a page, which contains nothing from the request. */
export function formatPage({ heading, text }: LoopbackPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem }</style>
<h1>${heading}</h1>
<p>${text}</p>
</html>
`;
}
