import { json, Party } from './party.js';
import { fetchTrusting } from '../clients/fetch-trusting.js';

/** Where the documents of a {@link Landscape} are. */
export const PATHS = {
  advertised: '/where-it-likes/metadata',
  pathForm: '/.well-known/oauth-protected-resource/mcp',
  rootForm: '/.well-known/oauth-protected-resource',
  atOrigin: '/.well-known/oauth-authorization-server',
  candidates: [
    '/.well-known/oauth-authorization-server/tenant',
    '/.well-known/openid-configuration/tenant',
    '/tenant/.well-known/openid-configuration',
  ],
} as const;

/** A server, its authorization server, and a third party that serves perfect documents to whoever is led there. */
export class Landscape {
  private constructor(
    readonly server: Party,
    readonly issuer: Party,
    readonly stranger: Party,
    private readonly isTls: boolean,
  ) {
    for (const path of [PATHS.advertised, PATHS.pathForm, PATHS.rootForm]) {
      stranger.at(path, (response, seen) => json(this.resourceMetadata())(response, seen));
    }
    for (const path of [PATHS.atOrigin, ...PATHS.candidates]) {
      stranger.at(path, (response, seen) => json(this.serverMetadata())(response, seen));
    }
  }

  static async start(scheme: 'http' | 'https' = 'http'): Promise<Landscape> {
    const parties = await Promise.all([Party.start(scheme), Party.start(scheme), Party.start(scheme)]);
    return new Landscape(...parties, scheme === 'https');
  }

  get serverUrl(): string {
    return `${this.server.origin}/mcp`;
  }

  get issuerUrl(): string {
    return `${this.issuer.origin}/tenant`;
  }

  /** What sends requests here; nothing where the global `fetch` can. */
  get fetch(): { readonly fetch?: typeof fetch } {
    return this.isTls ? { fetch: fetchTrusting } : {};
  }

  /** All that was asked of anybody, as `<party> <path>`. */
  get asked(): readonly string[] {
    const { server, issuer, stranger } = this;
    return Object.entries({ server, issuer, stranger }).flatMap(([name, { paths }]) =>
      paths.map((path) => `${name} ${path}`),
    );
  }

  resourceMetadata(changes: { readonly [member: string]: unknown } = {}) {
    return { resource: this.serverUrl, authorization_servers: [this.issuerUrl], ...changes };
  }

  serverMetadata(changes: { readonly [member: string]: unknown } = {}) {
    return { ...describeServer(this.issuerUrl), ...changes };
  }

  /** The metadata of a server that is its own authorization server. */
  metadataAtOrigin(changes: { readonly [member: string]: unknown } = {}) {
    return { ...describeServer(this.server.origin), ...changes };
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.stop(), this.issuer.stop(), this.stranger.stop()]);
  }
}

function describeServer(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/login`,
    token_endpoint: `${issuer}/tokens`,
    registration_endpoint: `${issuer}/clients`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}
