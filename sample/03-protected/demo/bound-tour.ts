import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAuthorizedFetch, MemoryCredentialStore, OAuthTokenSource } from 'nestjs-mcp/client';
import type { Ticket } from '../tickets/ticket.js';
import type { ScriptedBrowser } from './scripted-browser.js';
import { say, show } from './terminal.js';

const CALLBACK = 'http://127.0.0.1:8976/callback';

/** Logs in for a token that is bound to a key, and shows what it is worth to whoever steals it. */
export async function boundTour(url: URL, browser: ScriptedBrowser): Promise<void> {
  say(
    'A desk that takes bound tokens alone: the client makes a key, and proves with each request that it has it',
  );
  const log = new AuthorizationLog();
  const client = new Client({ name: 'demo', version: '1.0.0' });
  const tokenSource = new OAuthTokenSource({
    serverUrl: url,
    store: new MemoryCredentialStore(),
    authorizer: {
      redirectUri: CALLBACK,
      authorize: async (address) => (await browser.decide(address, CALLBACK)).address,
    },
  });
  const fetch = createAuthorizedFetch({ serverUrl: url, tokenSource, fetch: log.fetch });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  const { structuredContent } = await client.callTool({ name: 'list_tickets', arguments: {} });
  const { tickets } = structuredContent as { tickets: Ticket[] };
  show('Sends', `${log.scheme} <token>, with a proof of its own for each of ${log.proofs.size} requests`);
  for (const { id, subject } of tickets) show(id, subject);
  await client.close();

  say('Somebody else has got hold of the token, and has not got the key');
  for (const stolen of log.steal()) {
    const headers = { ...stolen, 'content-type': 'application/json', accept: 'application/json' };
    const { status, headers: answer } = await globalThis.fetch(url, { method: 'POST', headers, body: '{}' });
    show(`POST ${status}`, answer.get('www-authenticate') ?? '');
  }
}

/** Keeps what a client sends, as the log of a proxy might. */
class AuthorizationLog {
  readonly proofs = new Set<string>();
  #authorization = '';

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const proof = headers.get('dpop');
    if (proof !== null) {
      this.proofs.add(proof);
      this.#authorization = headers.get('authorization') ?? '';
    }
    return globalThis.fetch(input, init);
  };

  get scheme(): string {
    return this.#authorization.split(' ')[0] ?? '';
  }

  /** The ways to use a token that was stolen: as a bearer token, and with a proof that was used. */
  steal(): readonly Record<string, string>[] {
    const [, token = ''] = this.#authorization.split(' ');
    const proof = [...this.proofs].at(-1) ?? '';
    return [{ authorization: `Bearer ${token}` }, { authorization: this.#authorization, dpop: proof }];
  }
}
