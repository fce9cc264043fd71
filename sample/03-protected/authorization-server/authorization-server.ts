import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';
import { AUTHORIZATION_PATH, buildConfiguration, CONSENT_PATH } from './configuration.js';
import { Consent } from './consent.js';
import { DESK_SCOPES } from './scopes.js';

export interface AuthorizationServerOptions {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  /** The URL of the MCP endpoint that tokens are for. */
  readonly resource: string;
  /** What tokens can allow. @default the scopes of the desk */
  readonly scopes?: readonly string[];
  /** Whether a client that proves to have a key gets tokens that are bound to it. @default false */
  readonly bindsTokens?: boolean;
  /** Adds to what it can do, before it serves anybody. @default nothing */
  readonly extend?: (configuration: Configuration) => AuthorizationServerExtension;
}

/** What an authorization server can do besides. */
export interface AuthorizationServerExtension {
  readonly configuration: Configuration;
  /** Adds what is no configuration, such as a grant. */
  prepare(provider: Provider): void;
}

/**
 * Gives users a login and clients their tokens. It takes the place of your identity provider, so it knows nothing of Nest
 * and nothing of MCP, and forgets everything at the end.
 */
export class AuthorizationServer {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start({
    port,
    resource,
    scopes = DESK_SCOPES,
    bindsTokens = false,
    extend = leaveAsItIs,
  }: AuthorizationServerOptions): Promise<AuthorizationServer> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { configuration, prepare } = extend(buildConfiguration({ resource, scopes, bindsTokens }));
    const provider = new Provider(issuer, configuration);
    prepare(provider);
    const answer = createListener(provider, new Consent(provider, resource, scopes));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      askForScopes(request, scopes);
      answer(request, response);
    });
    return new AuthorizationServer(issuer, server);
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

function leaveAsItIs(configuration: Configuration): AuthorizationServerExtension {
  return { configuration, prepare: () => undefined };
}

function createListener(provider: Provider, consent: Consent) {
  const answer = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '/' } = request;
    if (url.startsWith(CONSENT_PATH)) {
      consent.handle(request, response).catch((error: unknown) => fail(response, error));
      return;
    }
    if (url === '/register') allowBrowsers(response);
    if (url === '/register' && method === 'OPTIONS') response.writeHead(204).end();
    else void answer(request, response);
  };
}

/** Lets whoever asks for no scope at all ask for all of them: a server says what it takes that for (RFC 6749 §3.3). */
function askForScopes(request: IncomingMessage, scopes: readonly string[]): void {
  const [path, query] = (request.url ?? '').split('?');
  const parameters = new URLSearchParams(query);
  if (path !== AUTHORIZATION_PATH || parameters.get('scope')) return;
  parameters.set('scope', scopes.join(' '));
  request.url = `${path}?${parameters.toString()}`;
}

/** Lets clients within web pages register; the library sees to it at the other endpoints. */
function allowBrowsers(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type, mcp-protocol-version');
}

function fail(response: ServerResponse, error: unknown): void {
  process.stderr.write(`The consent page failed: ${String(error)}\n`);
  if (!response.headersSent) response.writeHead(500);
  response.end();
}
