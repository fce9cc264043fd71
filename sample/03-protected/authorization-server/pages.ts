import { DESCRIPTIONS } from './scopes.js';

export interface Consent {
  /** Where the answer goes. */
  readonly action: string;
  readonly clientName: string;
  /** The URL of the server that it wants to use. */
  readonly resource: string;
  /** Where the browser is sent with the answer. */
  readonly returnsTo: string;
  readonly scopes: readonly string[];
  /** Those of the scopes that were allowed before. */
  readonly held: ReadonlySet<string>;
  /** Who is logged in; absent where nobody is. */
  readonly account?: string | undefined;
  /** What was wrong with the last answer. */
  readonly complaint?: string | undefined;
}

/** Draws the page that asks who somebody is, and what a client may do in that name. */
export function pageOfConsent({ action, clientName, resource, ...rest }: Consent): string {
  const { returnsTo, scopes, held } = rest;
  return page(`
    <h1>${escape(clientName)} wants to use ${escape(resource)}</h1>
    <p>The name is what the client calls itself. The answer goes to <code>${escape(returnsTo)}</code>.</p>
    <p>It asks to</p>
    <ul>
      ${scopes.map((scope) => itemOfScope(scope, held.has(scope))).join('\n      ')}
    </ul>
    <form method="post" action="${escape(action)}">
      ${fieldOfAccount(rest)}
      <p>
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny" formnovalidate>Deny</button>
      </p>
    </form>`);
}

/** Draws the page that says why there is nothing to answer. */
export function pageOfError(reason: string): string {
  return page(`
    <h1>This does not work</h1>
    <p>${escape(reason)}.</p>
    <p>Go back to your client, and begin again.</p>`);
}

function itemOfScope(scope: string, isHeld: boolean): string {
  const state = isHeld ? ', which you have allowed before' : '';
  const name = `<code>${escape(scope)}</code>`;
  const description = DESCRIPTIONS.get(scope);
  const text = description === undefined ? name : `${escape(description)} (${name})`;
  return `<li data-scope="${escape(scope)}">${text}${state}</li>`;
}

function fieldOfAccount({ account, complaint }: Pick<Consent, 'account' | 'complaint'>): string {
  if (account !== undefined) return `<p>You are logged in as <strong>${escape(account)}</strong>.</p>`;
  return `${complaint === undefined ? '' : `<p role="alert">${escape(complaint)}.</p>`}
      <p>
        <label>Your name <input name="name" required autofocus autocomplete="username"></label>
        Any will do: it stands for your own identity provider's login.
      </p>`;
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Log in and consent</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem }
      button { font: inherit; padding: .4rem 1.2rem; margin-right: .5rem }
      [role=alert] { color: #b00020 }
    </style>
  </head>
  <body>${content}
  </body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
