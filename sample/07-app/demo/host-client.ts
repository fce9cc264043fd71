import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Tokens } from '../board.module.js';

/** What a host declares that shows apps. */
const SHOWS_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** How a host connects. */
export interface HostOptions {
  readonly showsApps: boolean;
  readonly tokens: Tokens;
  /** Asks the user whether the host may have a scope that a server asks for. */
  readonly allows: (scope: string) => boolean;
}

/** Connects as a host does. Its user allowed it to read; if the server asks for more, the user is asked. */
export async function connectHost(url: URL, { showsApps, tokens, allows }: HostOptions): Promise<Client> {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: showsApps ? SHOWS_APPS : {} },
  );
  const transport = new StreamableHTTPClientTransport(url, { fetch: stepUp(tokens, allows) });
  await client.connect(transport);
  return client;
}

function stepUp({ reading, writing }: Tokens, allows: HostOptions['allows']): typeof fetch {
  let token = reading;
  const ask = (input: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  return async (input, init) => {
    const response = await ask(input, init);
    const scope = response.status === 403 ? findScope(response) : undefined;
    if (scope === undefined || !allows(scope)) return response;
    await response.body?.cancel();
    // A real host sends its user to the authorization server here: see sample/03-protected.
    token = writing;
    return ask(input, init);
  };
}

/** The challenge says which scopes the call needs (RFC 6750 §3). */
function findScope({ headers }: Response): string | undefined {
  return /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
}
