import { buildResourceMetadataUrl, type ProtectedResourceMetadata } from '../../../core/oauth/metadata.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { DpopSettings } from '../../settings/auth/dpop-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { AdvertisedScopes } from '../access/declared-access.js';

/**
 * The server's protected resource metadata, which clients use to get a token.
 *
 * @see RFC 9728, MCP 2026-07-28 basic/authorization
 */
export class ResourceMetadata {
  readonly #resource: PublishedResource | undefined;
  #scopes = '';
  #text: string | undefined;

  constructor(
    { auth }: ServerSettings,
    private readonly advertised: AdvertisedScopes,
  ) {
    this.#resource = findPublishedResource(auth);
  }

  /** Whether the server publishes the document. */
  get isServed(): boolean {
    return this.#resource !== undefined;
  }

  /** Returns the document as JSON, which is rebuilt when the handlers' scopes change. */
  read(): string | undefined {
    if (this.#resource === undefined) return undefined;
    const { supported, prefix } = this.advertised;
    const scopes = supported.join(' ');
    if (this.#text === undefined || scopes !== this.#scopes) {
      const asked = supported.map((scope) => prefix + scope);
      this.#text = JSON.stringify(buildResourceMetadata(this.#resource, asked));
      this.#scopes = scopes;
    }
    return this.#text;
  }
}

function buildResourceMetadata(
  { uri, authorizationServers, dpop, extras }: PublishedResource,
  scopes: readonly string[],
): ProtectedResourceMetadata {
  return {
    resource: uri,
    authorization_servers: authorizationServers,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...(dpop && {
      dpop_signing_alg_values_supported: dpop.algorithms,
      dpop_bound_access_tokens_required: dpop.mode === 'required',
    }),
    ...extras,
  };
}

/** A resource with published metadata. */
export interface PublishedResource {
  /** The configured endpoint URL for clients. */
  readonly uri: string;
  /** The option that configures the URL. */
  readonly option: AuthSettings['resourceOption'];
  readonly authorizationServers: readonly string[];
  /** The metadata URL in challenges. */
  readonly metadataUrl: string;
  /** The DPoP settings; absent if bound tokens are not accepted. */
  readonly dpop?: DpopSettings | undefined;
  /** Additional properties of the metadata. */
  readonly extras: { readonly [member: string]: unknown };
}

/** Returns the published resource of a server, or `undefined` if clients get their tokens in other ways. */
export function findPublishedResource(auth: AuthSettings | undefined): PublishedResource | undefined {
  if (auth?.resourceUri === undefined || auth.authorizationServers.length === 0) return undefined;
  return {
    uri: auth.resourceUri,
    option: auth.resourceOption,
    authorizationServers: auth.authorizationServers,
    metadataUrl: auth.resourceMetadataUrl ?? buildResourceMetadataUrl(auth.resourceUri),
    dpop: auth.dpop,
    extras: onlyGiven(auth.resourceMetadata),
  };
}
