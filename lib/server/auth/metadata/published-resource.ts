import { buildResourceMetadataUrl } from '../../../core/oauth/well-known.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { DpopSettings } from '../../settings/auth/dpop-options.js';
import { onlyGiven } from '../../settings/only-given.js';

/** A resource that tells clients where they get tokens for it. */
export interface PublishedResource {
  /** The configured URL of the endpoint for clients. */
  readonly uri: string;
  /** Which option has it. */
  readonly option: AuthSettings['resourceOption'];
  readonly authorizationServers: readonly string[];
  /** Where challenges say that the metadata is. */
  readonly metadataUrl: string;
  /** How tokens are taken that are bound to a key; absent if none are. */
  readonly dpop?: DpopSettings | undefined;
  /** Members of the metadata in addition to those that the server fills in itself. */
  readonly extras: { readonly [member: string]: unknown };
}

/** Returns what a server publishes of itself, or `undefined` if clients get their tokens in other ways. */
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
