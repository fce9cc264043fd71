import { createHash, randomBytes } from 'node:crypto';
import { CookieBrowser, type Visit } from './cookie-browser.js';

/** The scene that a client attacks or uses. */
interface Served {
  readonly issuer: string;
  readonly resource: string;
}

/** An answer of an endpoint for programs. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, string | undefined>>;

export const REDIRECT = 'http://127.0.0.1:49152/callback';

/** A client whose every request can be changed, and the browser of its user. */
export class AuthorizationClient {
  readonly verifier = randomBytes(32).toString('base64url');
  clientId = '';

  constructor(
    readonly served: Served,
    readonly browser = new CookieBrowser(),
  ) {}

  static async register(served: Served, metadata: object = {}): Promise<AuthorizationClient> {
    const client = new AuthorizationClient(served);
    const { body } = await client.register(metadata);
    client.clientId = String(body['client_id']);
    return client;
  }

  async register(metadata: object): Promise<EndpointAnswer> {
    const given = { client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata };
    return post(`${this.served.issuer}/register`, JSON.stringify(given), 'application/json');
  }

  /** The address of an authorization request; members that are undefined are left out. */
  buildUrl(changes: Values = {}): string {
    const values: Values = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      scope: 'desk:read',
      resource: this.served.resource,
      state: 'state-of-the-client',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const url = new URL(`${this.served.issuer}/authorize`);
    for (const [name, value] of Object.entries(values))
      if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  /** Opens the consent page, or what is shown instead. */
  async ask(changes: Values = {}): Promise<Visit> {
    return this.browser.follow(this.buildUrl(changes), changes['redirect_uri'] ?? REDIRECT);
  }

  /** Logs in, allows, and gives the parameters with which the browser comes back to the client. */
  async authorize(changes: Values = {}): Promise<URLSearchParams> {
    const end = changes['redirect_uri'] ?? REDIRECT;
    const page = await this.ask(changes);
    const visit = page.page.includes('<form')
      ? await this.browser.send(page, { decision: 'allow' }, end)
      : page;
    return visit.url.searchParams;
  }

  /** Asks for tokens; members that are undefined are left out. */
  async requestToken(changes: Values): Promise<EndpointAnswer> {
    const values: Values = { client_id: this.clientId, resource: this.served.resource, ...changes };
    const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return post(`${this.served.issuer}/token`, new URLSearchParams(given).toString());
  }

  async redeem(code: string | null, changes: Values = {}): Promise<EndpointAnswer> {
    return this.requestToken({
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  async refresh(refreshToken: unknown, changes: Values = {}): Promise<EndpointAnswer> {
    return this.requestToken({
      grant_type: 'refresh_token',
      refresh_token: String(refreshToken),
      ...changes,
    });
  }

  /** Calls a tool, and gives the status. */
  async call(accessToken: unknown, tool = 'whoAmI'): Promise<EndpointAnswer> {
    const version = '2026-07-28';
    const response = await fetch(this.served.resource, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${String(accessToken)}`,
        'mcp-protocol-version': version,
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: tool,
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    return read(response);
  }
}

/** Sends a body to an endpoint for programs. */
export async function post(
  url: string,
  body: string,
  type = 'application/x-www-form-urlencoded',
): Promise<EndpointAnswer> {
  return read(
    await fetch(url, { method: 'POST', headers: { 'content-type': type }, body, redirect: 'manual' }),
  );
}

export async function read(response: Response): Promise<EndpointAnswer> {
  const text = await response.text();
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.includes('json') === true;
  return { status, headers, body: isJson ? (JSON.parse(text) as EndpointAnswer['body']) : { text } };
}
