import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Module, type INestApplication, type ModuleMetadata, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  McpModule,
  RequireScope,
  Tool,
  type AuthOptions,
  type McpContext,
  type McpOptions,
} from 'nestjs-mcp';
import {
  McpAuthorizationServerModule,
  McpUpstreamTokens,
  type AuthorizationServerOptions,
  type AuthorizationStorage,
} from 'nestjs-mcp/authorization-server';
import { createAuthorizedFetch, MemoryCredentialStore, OAuthTokenSource } from 'nestjs-mcp/client';
import { FormBrowser } from '../clients/form-browser.js';
import { LoginServer, type LoginServerOptions } from './login-server.js';

export type Adapter = 'express' | 'fastify';

export const CALLER_SCOPES = { 'desk:read': 'Read the tickets', 'desk:write': 'Close tickets' };
const SECRET = 'a secret of the desk, with more than 32 characters';
const CLIENT = { client_id: 'desk-at-upstream', client_secret: 'the-secret-of-the-desk-at-upstream' };

@Injectable()
class DeskTools {
  constructor(private readonly upstream: McpUpstreamTokens) {}

  @Tool({ description: 'Names the caller' })
  whoAmI(_arguments: object, { auth }: McpContext) {
    return `${auth.claims?.sub} with ${auth.claims?.scopes.join(' ')}`;
  }

  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:write')
  close() {
    return 'closed';
  }

  @Tool({ description: 'Returns the token of the provider, as no tool should' })
  async upstreamToken(_arguments: object, { auth }: McpContext) {
    return (await this.upstream.find(auth)) ?? 'none';
  }

  @Tool({ description: 'Calls the provider for the caller' })
  async callUpstream(_arguments: object, { auth }: McpContext) {
    return auth.upstream();
  }
}

/** What differs from the usual scene. */
export interface SceneOptions {
  readonly adapter?: Adapter;
  /** How many applications take turns. They share what they store. @default 1 */
  readonly applications?: number;
  /** Options of the authorization server, which may depend on the origin. */
  readonly server?:
    Partial<AuthorizationServerOptions> | ((origin: string) => Partial<AuthorizationServerOptions>);
  readonly upstream?: Partial<LoginServerOptions>;
  /** How the MCP server differs in what it accepts. */
  readonly auth?: Partial<AuthOptions>;
  /** Other options of the MCP server. */
  readonly mcp?: Partial<Omit<McpOptions, 'auth'>>;
  /** Other modules and providers of the application. */
  readonly metadata?: Pick<ModuleMetadata, 'imports' | 'providers'>;
}

/** The header that names the application of a request, counted from 0. @default they take turns */
export const AT_APPLICATION = 'x-application';

/** An MCP server with an authorization server beside it, in front of a provider at which no client can register. */
export class AuthorizationServerScene {
  /** What the user chooses on the consent page. */
  readonly fields = { decision: 'allow' };
  readonly store = new MemoryCredentialStore();
  /** The user's browser. */
  browser = new FormBrowser(this.fields);

  private constructor(
    /** Where clients and browsers arrive. */
    readonly front: Server,
    private readonly applications: readonly INestApplication[],
    readonly upstream: LoginServer,
    readonly origin: string,
  ) {}

  get issuer(): string {
    return `${this.origin}/oauth`;
  }

  get resource(): string {
    return `${this.origin}/mcp`;
  }

  static async start({
    adapter = 'express',
    applications: count = 1,
    server = {},
    upstream: given = {},
    auth = {},
    mcp = {},
    metadata = {},
  }: SceneOptions = {}) {
    // The port is needed for the options, so that it must be open before the application exists.
    const front = createServer().listen(0, '127.0.0.1');
    await once(front, 'listening');
    const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const upstream = await LoginServer.start({
      resources: [],
      registers: false,
      clients: [
        {
          ...CLIENT,
          redirect_uris: [`${origin}/oauth/callback`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      ...given,
    });
    const options: AuthorizationServerOptions = {
      issuer: `${origin}/oauth`,
      resources: { [`${origin}/mcp`]: CALLER_SCOPES },
      upstream: {
        name: 'Upstream',
        issuer: upstream.issuer,
        clientId: CLIENT.client_id,
        clientSecret: CLIENT.client_secret,
      },
      grantScopes: () => Object.keys(CALLER_SCOPES),
      secret: SECRET,
      ...(count > 1 && { storage: new SharedStorage() }),
      ...(typeof server === 'function' ? server(origin) : server),
    };
    const applications = await Promise.all(
      Array.from({ length: count }, () =>
        createApplication(adapter, options, { auth, metadata, stateless: count > 1, ...mcp }),
      ),
    );
    const listeners = applications.map((application) => findListener(application, adapter));
    let turn = 0;
    front.on('request', (request, response) => {
      const application = Number(request.headers[AT_APPLICATION] ?? turn++ % count);
      listeners[application]?.(request, response);
    });
    return new AuthorizationServerScene(front, applications, upstream, origin);
  }

  /** Finds a provider of the first application. */
  get<Provided>(type: Type<Provided>): Provided {
    const [application] = this.applications;
    if (application === undefined) throw new Error('No application has started');
    return application.get(type, { strict: false });
  }

  /** Creates the login of a client that begins now. */
  createSource(scope?: string): OAuthTokenSource {
    return new OAuthTokenSource({
      serverUrl: this.resource,
      store: this.store,
      openBrowser: async (address) => void (await this.browser.visit(address)),
      present: () => undefined,
      ...(scope !== undefined && { scope }),
    });
  }

  /** Creates a `fetch` that logs in when the server asks for it. */
  createFetch(source = this.createSource()): typeof fetch {
    return createAuthorizedFetch({ serverUrl: this.resource, tokenSource: source });
  }

  /** Calls a tool, and returns the text of its result. */
  async call(tool: string, send: typeof fetch = this.createFetch()): Promise<string> {
    const version = '2026-07-28';
    const response = await send(this.resource, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
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
    const message = (await response.json()) as { result?: { content: [{ text: string }] } };
    return message.result?.content[0].text ?? JSON.stringify(message);
  }

  async stop(): Promise<void> {
    this.front.close();
    this.front.closeAllConnections();
    await Promise.all(this.applications.map((application) => application.close()));
    await this.upstream.stop();
  }
}

/** Stores what the applications share, as another process would: the entries that it has can be looked at. */
export class SharedStorage implements AuthorizationStorage {
  readonly entries = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    return this.entries.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    this.entries.set(key, value);
  }

  async add(key: string, value: string): Promise<boolean> {
    if (this.entries.has(key)) return false;
    this.entries.set(key, value);
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    const value = this.entries.get(key);
    this.entries.delete(key);
    return value;
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function findListener(application: INestApplication, adapter: Adapter): Listener {
  const instance: unknown = application.getHttpAdapter().getInstance();
  return (
    adapter === 'express' ? instance : (instance as { readonly routing: Listener }).routing
  ) as Listener;
}

interface ServerChoice extends Partial<Omit<McpOptions, 'auth'>> {
  readonly auth: Partial<AuthOptions>;
  readonly metadata: NonNullable<SceneOptions['metadata']>;
  /** A session would belong to one application. */
  readonly stateless: boolean;
}

async function createApplication(
  adapter: Adapter,
  options: AuthorizationServerOptions,
  { auth, metadata: { imports = [], providers = [] }, ...others }: ServerChoice,
) {
  const [resource = ''] = Object.keys(options.resources);
  @Module({
    imports: [
      McpAuthorizationServerModule.forRoot(options),
      McpModule.forRoot({
        serverInfo: { name: 'desk', version: '1.0.0' },
        publicUrl: resource,
        auth: { authorizationServers: [options.issuer], jwt: {}, requiredScopes: ['desk:read'], ...auth },
        ...others,
      }),
      ...imports,
    ],
    providers: [DeskTools, ...providers],
  })
  class AppModule {}
  const application = await NestFactory.create(
    AppModule,
    adapter === 'express' ? new ExpressAdapter() : (new FastifyAdapter() as never),
    { logger: false, abortOnError: false },
  );
  await application.init();
  const instance: { ready?: () => Promise<unknown> } = application.getHttpAdapter().getInstance();
  await instance.ready?.();
  return application;
}
