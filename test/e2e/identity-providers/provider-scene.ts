import type { DynamicModule, Type } from '@nestjs/common';
import { McpModule, type AuthOptions, type JwtOptions } from 'nestjs-mcp';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';
import { IssuerKey, signToken } from '../../support/authorization/issuer-key.js';
import { json, Party, status } from '../../support/authorization/party.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { runBlock } from './page-code.js';
import type { ProviderShape, TokenShape } from './provider-shape.interface.js';

const DESK = new URL(RESOURCE).host;

/** Providers sign by RSA, whose keys take long to make: all of them have this one. */
const KEY = await IssuerKey.create('RS256');

/**
 * A server that is configured as a provider's page says, and the provider: on loopback, where its names lead for whoever uses
 * {@link fetch}, or the global one.
 */
export class ProviderScene {
  readonly log = new RecordedLog();
  readonly #fetch = globalThis.fetch;
  #desk: RunningApp | undefined;

  private constructor(
    private readonly shape: ProviderShape,
    private readonly provider: Party,
  ) {}

  static async start(shape: ProviderShape, adapter: AdapterName): Promise<ProviderScene> {
    const scene = new ProviderScene(shape, await Party.start());
    scene.#serveProvider();
    globalThis.fetch = scene.fetch;
    await scene.#boot(adapter);
    return scene;
  }

  get desk(): RunningApp {
    if (this.#desk === undefined) throw new Error('The desk is not started');
    return this.#desk;
  }

  /** Sends what is for the provider or the desk by their names to where they are. */
  readonly fetch: typeof fetch = (input, init) => {
    const { protocol, host, pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (protocol !== 'https:') return this.#fetch(input, init);
    const place = host === DESK ? this.desk.origin : `${this.provider.origin}/${host}`;
    return this.#fetch(`${place}${pathname}${search}`, init);
  };

  /** Signs a token as the provider does, good for an hour; an opaque one is as it is. */
  async sign(token: TokenShape | string): Promise<string> {
    if (typeof token === 'string') return token;
    const now = Math.floor(Date.now() / 1000);
    const { algorithm: alg, kid, privateKey } = KEY;
    const payload = { iat: now - 60, exp: now + 3600, ...token.claims };
    return signToken({ header: { alg, kid, ...token.header }, payload }, privateKey);
  }

  async stop(): Promise<void> {
    globalThis.fetch = this.#fetch;
    await this.#desk?.close();
    await this.provider.stop();
  }

  async #boot(adapter: AdapterName): Promise<void> {
    const { AppModule, jwt, auth, ...others } = runBlock(
      this.shape.page.split(' ')[0] ?? '',
      this.shape.block,
    );
    const module = (AppModule as Type | undefined) ?? this.#complete(jwt as JwtOptions, auth as AuthOptions);
    const classes = Object.values(others).filter((one): one is Type => typeof one === 'function');
    this.#desk = await bootApp({
      adapter,
      imports: [module],
      providers: [WhoamiTool, ...classes],
      nest: { logger: this.log },
    });
  }

  /** A block may show the settings of tokens alone. */
  #complete(jwt: JwtOptions | undefined, auth: AuthOptions | undefined): DynamicModule {
    const { issuer } = this.shape.metadata.document;
    const named = { resourceUri: RESOURCE, authorizationServers: [String(issuer)] };
    return McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: { ...named, ...(jwt && { jwt }), ...auth },
    });
  }

  #serveProvider(): void {
    const { metadata, replies = {}, absence = 404 } = this.shape;
    const { jwks_uri: jwksUrl } = metadata.document;
    this.provider.at('/*', status(absence));
    this.provider.at(locate(metadata.url), json(metadata.document));
    if (typeof jwksUrl === 'string') this.provider.at(locate(jwksUrl), json({ keys: [KEY.jwk] }));
    for (const [url, reply] of Object.entries(replies)) this.provider.at(locate(url), reply);
  }
}

function locate(url: string): string {
  const { host, pathname } = new URL(url);
  return `/${host}${pathname}`;
}
