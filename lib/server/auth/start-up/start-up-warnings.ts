import { mergeScopes } from '../../../core/oauth/scope.js';
import { isLoopbackUrl } from '../../../core/oauth/secure-url.js';
import { trimSlash } from '../../../core/oauth/metadata.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AUTHORIZATION_SERVER_SCOPES } from '../access/declared-access.js';
import { findPublishedResource, type PublishedResource } from '../metadata/resource-metadata.js';
import { findUnsafeSettings } from './unsafe-settings.js';

/** The facts that warnings depend on in addition to the settings. */
interface StartUpFacts {
  /** The endpoint path in the application. */
  readonly endpointPath: string;
  readonly isProduction: boolean;
  /** The guard classes that the `decorators` option applies to all routes. */
  readonly guards: readonly string[];
}

/** Finds settings that are valid but rarely intended. Each warning explains what to do. */
export function findWarnings(settings: ServerSettings, surroundings: StartUpFacts): readonly string[] {
  const { auth } = settings;
  if (auth === undefined) return [];
  return [
    ...findResourceTraps(auth, surroundings),
    ...findIssuerTraps(auth),
    ...findScopeTraps(auth),
    ...findFixedTokenTraps(auth),
    ...findGuardTraps(surroundings),
    ...findUnsafeSettings(auth),
    ...(auth.filterLists ? findCacheTraps(settings) : []),
  ];
}

/** Only a published resource has requirements for its URL. */
function findResourceTraps(auth: AuthSettings, surroundings: StartUpFacts): readonly string[] {
  const resource = findPublishedResource(auth);
  if (resource === undefined) return [];
  const traps = [
    findHostTrap(resource, surroundings),
    findSpellingTrap(resource),
    findPathTrap(auth, surroundings),
  ];
  return traps.filter((trap) => trap !== undefined);
}

function findHostTrap(
  { uri, option }: PublishedResource,
  { isProduction }: StartUpFacts,
): string | undefined {
  if (isLoopbackUrl(uri)) {
    return isProduction
      ? `"${option}" is "${uri}", which points clients to their own machine: set it to the URL that clients use for the endpoint`
      : undefined;
  }
  return new URL(uri).protocol === 'http:'
    ? `"${option}" is "${uri}", so tokens are sent unencrypted: serve the endpoint over HTTPS, in the application or a proxy, and use the "https:" URL here`
    : undefined;
}

/** Clients and authorization servers may compare URLs as strings. */
function findSpellingTrap({ uri, option }: PublishedResource): string | undefined {
  const { origin, pathname, search } = new URL(uri);
  const plain = `${origin}${trimSlash(pathname)}${search}`;
  return uri === plain
    ? undefined
    : `"${option}" is "${uri}", which some clients and identity providers distinguish from "${plain}": use the latter here and at the identity provider`;
}

function findPathTrap(
  { resourceUri = '', resourceOption, resourceMetadataUrl }: AuthSettings,
  { endpointPath }: StartUpFacts,
): string | undefined {
  const { origin, pathname } = new URL(resourceUri);
  const path = trimSlash(pathname);
  if (path === endpointPath || resourceMetadataUrl !== undefined) return undefined;
  return `"${resourceOption}" has the path "${path || '/'}", but the endpoint is at "${endpointPath}": have a proxy forward requests for the former, and for its metadata, to the latter, or use "${origin}${endpointPath}"`;
}

function findIssuerTraps({ jwt, authorizationServers, ignoreIssuerSlash }: AuthSettings): readonly string[] {
  if (ignoreIssuerSlash) return [];
  const issuers = jwt.flatMap((one) => one.issuers).filter((one) => !authorizationServers.includes(one));
  return issuers.flatMap((issuer) => {
    const server = authorizationServers.find((one) => trimSlash(one) === trimSlash(issuer));
    if (server === undefined) return [];
    return `"auth.jwt.issuer" is "${issuer}", but "auth.authorizationServers" contains "${server}": issuers are compared exactly, so spell both like the "iss" claim in the tokens`;
  });
}

function findScopeTraps({ requiredScopes, scopesSupported = [] }: AuthSettings): readonly string[] {
  const lists = { requiredScopes, scopesSupported };
  return Object.entries(lists).flatMap(([option, scopes]) => {
    const foreign = scopes.filter((scope) => AUTHORIZATION_SERVER_SCOPES.has(scope));
    if (foreign.length === 0) return [];
    return `"auth.${option}" contains "${foreign.join('", "')}", which no resource requires, because clients request it from the authorization server themselves: remove it`;
  });
}

/** Finds fixed tokens that cannot be used for any request. */
function findFixedTokenTraps({ bearer, requiredScopes }: AuthSettings): readonly string[] {
  const lacking = bearer.map(({ scopes = [] }) => requiredScopes.filter((scope) => !scopes.includes(scope)));
  const count = lacking.filter((scopes) => scopes.length > 0).length;
  if (count === 0) return [];
  const missing = mergeScopes(lacking.flat()).join('", "');
  const tokens = count === 1 ? 'a token' : `${count} tokens`;
  return [
    `"auth.bearer" contains ${tokens} without scopes that "auth.requiredScopes" requires, so every request fails with 403: grant ${count === 1 ? 'it' : 'them'} "${missing}"`,
  ];
}

/** Such guards run before the server's own guard, so their refusals contain no challenge. */
function findGuardTraps({ guards }: StartUpFacts): readonly string[] {
  if (guards.length === 0) return [];
  return [
    `"decorators" applies "${guards.join('", "')}" to the endpoint and all public documents, which clients request before they have a token: let requests without a token pass, or put guards on handler classes`,
  ];
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

function findCacheTraps({ cache }: ServerSettings): readonly string[] {
  return LISTS.filter((list) => cache[list].scope === 'public').map(
    (list) =>
      `"cache.${list}.scope" is "public", but served as "private", because "auth.filterLists" makes lists depend on the caller: set it to "private"`,
  );
}
