import type { ProtectedResourceMetadata } from '../../../core/oauth/protected-resource-metadata.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { AdvertisedScopes } from '../access/advertised-scopes.js';
import { findPublishedResource, type PublishedResource } from './published-resource.js';

/**
 * Tells clients what they need to know to get a token for the server.
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

  /** Whether the server has such a document. */
  get isServed(): boolean {
    return this.#resource !== undefined;
  }

  /** Returns the document as JSON; it is written again when the scopes of handlers have changed. */
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
