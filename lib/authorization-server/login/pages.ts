import type { AuthorizationServerSettings, ConsentTexts } from '../settings/authorization-server-options.js';

type ConsentSettings = AuthorizationServerSettings['consent'];

/** What the consent page shows, and where its form is submitted. */
export interface ConsentPage {
  /** Where the form is submitted. */
  readonly action: string;
  /** The token that proves that the form was submitted from this page. */
  readonly formToken: string;
  /** The name the client gives itself. */
  readonly clientName: string;
  /** The host of the client's metadata document, which proves who it is. @default none: the client registered itself */
  readonly verifiedHost?: string | undefined;
  /** Where the browser is redirected with the result. */
  readonly destination: string;
  /** The URL of the MCP server. */
  readonly resource: string;
  /** What the client will be able to do. */
  readonly scopes: readonly string[];
  /** Whether the client retains this access while the user is away. */
  readonly isOffline: boolean;
  /** The name of the provider where the user logs in next. */
  readonly provider: string;
  /** The user who is logged in. @default none */
  readonly user?: string | undefined;
}

const TEXTS: ConsentTexts = {
  title: '{client} wants to use {address}',
  unverified: 'This name is what the program calls itself. Nobody has verified it.',
  verified: 'The program is published by {address}.',
  destination: 'After you decide, your browser goes to {address}. If you did not start this, choose “Deny”.',
  scopes: 'It will be able to:',
  offline: 'Do so while you are away, until you log out of the program',
  login: 'Next, you log in with {provider}.',
  account: 'You are logged in as {user}.',
  allow: 'Allow',
  deny: 'Deny',
  otherAccount: 'Use another account',
};

const ERROR_TITLE = 'The login cannot continue';
const ERROR_FIX = 'Return to your program and start again.';

/** Renders the page on which a user decides whether a client may act for them. It works without scripts. */
export function renderConsentPage(settings: ConsentSettings, page: ConsentPage): string {
  const texts = { ...TEXTS, ...settings.texts };
  const { clientName, verifiedHost, destination, resource, user, scopes } = page;
  const verification =
    verifiedHost === undefined ? texts.unverified : fill(texts.verified, { address: verifiedHost });
  const title = fill(texts.title, { client: clientName, address: resource });
  const login =
    user === undefined ? fill(texts.login, { provider: page.provider }) : fill(texts.account, { user });
  const allowed = [...scopes, ...(page.isOffline ? [texts.offline] : [])];
  const otherAccount =
    user === undefined ? '' : button('other-account', texts.otherAccount, ' class="secondary"');
  return renderPage(
    settings,
    title,
    `<h1>${escapeHtml(title)}</h1>
<p class="note">${escapeHtml(verification)}</p>
<p>${escapeHtml(fill(texts.destination, { address: destination }))}</p>
<p id="scopes">${escapeHtml(texts.scopes)}</p>
<ul aria-labelledby="scopes">
${allowed.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('\n')}
</ul>
<p>${escapeHtml(login)}</p>
<form method="post" action="${escapeHtml(page.action)}">
<input type="hidden" name="form_token" value="${escapeHtml(page.formToken)}">
${button('allow', texts.allow, '')}
${button('deny', texts.deny, ' class="secondary"')}
${otherAccount}
</form>`,
  );
}

/** Renders the page for a login that cannot continue. */
export function renderErrorPage(settings: ConsentSettings, reason: string): string {
  return renderPage(
    settings,
    ERROR_TITLE,
    `<h1>${ERROR_TITLE}</h1>\n<p role="alert">${escapeHtml(reason)}</p>\n<p>${ERROR_FIX}</p>`,
  );
}

function button(decision: string, text: string, attributes: string): string {
  return `<button name="decision" value="${decision}"${attributes}>${escapeHtml(text)}</button>`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; }
.note { border-inline-start: .25rem solid; padding-inline-start: .75rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; padding: .6rem 1.4rem; border: 1px solid; border-radius: .4rem; background: #1a56c4; color: #fff; cursor: pointer; }
button.secondary { background: none; color: inherit; }
button:focus-visible { outline: 3px solid; outline-offset: 2px; }
`;

function renderPage({ language, css }: ConsentSettings, title: string, content: string): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${css.replaceAll('</', String.raw`<\/`)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
