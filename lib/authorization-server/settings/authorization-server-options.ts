import {
  asserting,
  callable,
  fail,
  flag,
  list,
  methods,
  nonEmptyString,
  object,
  positive,
  required,
  secrets,
  type Check,
} from '../../core/checks/option-checks.js';
import { nested, optionGroup, type Settings } from '../../core/checks/option-group.js';
import { isScope } from '../../core/oauth/scope.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import type { AuthorizationStorage } from '../../core/oauth/authorization-storage.interface.js';
import {
  buildUpstreamSettings,
  strings,
  UPSTREAM,
  type UpstreamOptions,
  type UpstreamSettings,
  type UpstreamUser,
} from './upstream-options.js';

/** The scopes of one resource, each with the description that the consent page shows. */
export interface ResourceScopes {
  readonly [scope: string]: string;
}

/**
 * Options of an authorization server for MCP clients, in front of an identity provider where they cannot register.
 *
 * @example
 * McpAuthorizationServerModule.forRoot({
 *   issuer: 'https://desk.example.com/oauth',
 *   resources: { 'https://desk.example.com/mcp': { 'desk:read': 'Read the tickets' } },
 *   upstream: upstreams.google({ clientId, clientSecret }),
 *   grantScopes: (user) => (user.claims.hd === 'example.com' ? ['desk:read'] : []),
 *   secret,
 * })
 */
export interface AuthorizationServerOptions {
  /**
   * The URL of this authorization server, with a separate path, such as `https://desk.example.com/oauth`. Its endpoints
   * are routed below the path.
   */
  readonly issuer: string;
  /** The URLs of the MCP servers that tokens are issued for, each with the scopes it supports. Clients send one of them as `resource`. */
  readonly resources: { readonly [url: string]: ResourceScopes };
  /** The identity provider where people log in. */
  readonly upstream: UpstreamOptions;
  /**
   * Returns the scopes that a user may grant to clients. A user without scopes cannot log in. It is called at each
   * login and whenever a client requests more scopes.
   */
  readonly grantScopes: (user: UpstreamUser) => readonly string[] | Promise<readonly string[]>;
  /**
   * Encrypts everything that is stored, and the signing keys are derived from it. The first secret of an array is used;
   * the others are only accepted. Use the same secret in all processes of a server.
   */
  readonly secret: string | readonly string[];
  /** Stores registrations, logins and tokens. @default this process's memory, with a warning in production */
  readonly storage?: AuthorizationStorage;
  /** Whether clients may register themselves (RFC 7591). @default true */
  readonly registration?: boolean;
  /** Whether the URL of a metadata document is accepted as a client ID, if the document is on a public host. @default true */
  readonly clientDocuments?: boolean;
  /** How long an access token is valid, in seconds. @default 600 */
  readonly accessTokenSeconds?: number;
  /** How long a client can refresh its tokens after the last use, in seconds. @default 1_209_600 (14 days) */
  readonly refreshTokenSeconds?: number;
  /** After how many seconds an unused registration expires. A login extends it to `refreshTokenSeconds`. @default 86_400 */
  readonly unusedRegistrationSeconds?: number;
  /** The maximum number of registrations from one address within an hour. IPv6 addresses are grouped by their first 64 bits. @default 30 */
  readonly maxRegistrationsPerAddress?: number;
  /** The maximum number of registrations from all addresses within an hour. @default 3000 */
  readonly maxRegistrations?: number;
  /** The maximum number of authorization requests and consent decisions, and of callbacks, from one address within ten minutes. @default 300 */
  readonly maxAuthorizationsPerAddress?: number;
  /** The maximum number of authorization requests, and of callbacks, from all addresses within ten minutes. @default 20_000 */
  readonly maxAuthorizations?: number;
  /**
   * The maximum number of token and revocation requests from one address within ten minutes. A cloud client sends all
   * its users' requests from a few addresses. @default 3000
   */
  readonly maxTokenRequestsPerAddress?: number;
  /** The maximum number of token requests from all addresses within ten minutes. @default 60_000 */
  readonly maxTokenRequests?: number;
  /** The maximum number of client metadata documents fetched for one address within ten minutes. @default 60 */
  readonly maxDocumentsPerAddress?: number;
  /** The maximum number of client metadata documents fetched for all addresses within ten minutes. @default 2000 */
  readonly maxDocuments?: number;
  /**
   * MCP servers in other processes that may exchange their callers' tokens for identity provider tokens (RFC 8693).
   * Other clients cannot. @default []
   */
  readonly resourceServers?: readonly ResourceServerClient[];
  /** The wording and style of the consent page. @default English, without custom CSS */
  readonly consent?: ConsentOptions;
}

/** An MCP server in another process, as a client of the authorization server. */
export interface ResourceServerClient {
  /** The URL of the MCP server, one of `resources`. Only tokens for it can be exchanged. */
  readonly resource: string;
  /** The client ID that it authenticates with. */
  readonly clientId: string;
  /** The client secret that it authenticates with. Create it with `openssl rand -hex 32`. */
  readonly clientSecret: string;
}

/** The wording and style of the consent page. */
export interface ConsentOptions {
  /** The language of the page, for screen readers. @default 'en' */
  readonly language?: string;
  /** CSS rules added after the page's own. @default none */
  readonly css?: string;
  /** Sentences that replace the page's default sentences. @default {} */
  readonly texts?: Partial<ConsentTexts>;
}

/** The sentences of the consent page. `{client}`, `{provider}`, `{address}` and `{user}` are replaced. */
export interface ConsentTexts {
  readonly title: string;
  readonly unverified: string;
  readonly verified: string;
  readonly destination: string;
  readonly scopes: string;
  readonly offline: string;
  readonly login: string;
  readonly account: string;
  readonly allow: string;
  readonly deny: string;
  readonly otherAccount: string;
}

type OpenOption = 'storage';

/** The options with all defaults filled in. */
export interface AuthorizationServerSettings extends Omit<
  Settings<AuthorizationServerOptions, OpenOption>,
  'upstream' | 'secret' | 'consent'
> {
  readonly upstream: UpstreamSettings;
  readonly secrets: readonly string[];
  readonly consent: Required<Omit<ConsentOptions, 'texts'>> & { readonly texts: Partial<ConsentTexts> };
  /** The issuer's path. */
  readonly path: string;
}

const issuer: Check = (option, value) => {
  const url = typeof value === 'string' && isSecureUrl(value) ? new URL(value) : undefined;
  if (url === undefined)
    fail(
      option,
      'must be an "https" URL such as "https://desk.example.com/oauth"; "http" is only allowed on this machine',
    );
  if (url.href !== value || !/^https?:\/\/[^/?#]+\/[^?#]*[^/?#]$/.test(url.href))
    fail(option, `must have a path, without a query or a trailing slash, such as "${url.origin}/oauth"`);
};

const resources: Check = (option, value) => {
  object(option, value);
  const entries = Object.entries(value as object);
  if (entries.length === 0) fail(option, 'must contain the URL of at least one MCP server');
  for (const [url, scopes] of entries) {
    if (!isSecureUrl(url) || url.includes('#'))
      fail(
        option,
        `must contain "https" URLs without a fragment, but contains "${url}"; "http" is only allowed on this machine`,
      );
    object(`${option}["${url}"]`, scopes);
    for (const [scope, text] of Object.entries(scopes as object)) {
      if (!isScope(scope))
        fail(
          `${option}["${url}"]`,
          `must contain scopes without spaces, such as "desk:read", but contains ${JSON.stringify(scope)}`,
        );
      nonEmptyString(`${option}["${url}"]["${scope}"]`, text);
    }
  }
};

const clientId: Check = (option, value) => {
  nonEmptyString(option, value);
  // URLs identify clients with a metadata document.
  if (!/^[\w.-]+$/.test(value as string)) fail(option, 'must consist of letters, digits, "-", "_" and "."');
};

const clientSecret: Check = (option, value) => {
  nonEmptyString(option, value);
  secrets(option, value);
};

const RESOURCE_SERVER = optionGroup<ResourceServerClient>({
  resource: required(nonEmptyString, '"https://desk.example.com/mcp"'),
  clientId: required(clientId, '"desk"'),
  clientSecret: required(clientSecret, 'process.env.DESK_CLIENT_SECRET'),
});

const CONSENT = optionGroup<ConsentOptions>({
  language: [nonEmptyString, 'en'],
  css: [nonEmptyString, ''],
  texts: [strings, {}],
});

const DAY = 86_400;

const AUTHORIZATION_SERVER = optionGroup<AuthorizationServerOptions, OpenOption>(
  {
    issuer: required(issuer, '"https://desk.example.com/oauth"'),
    resources: required(resources, '{ "https://desk.example.com/mcp": { "desk:read": "Read the tickets" } }'),
    upstream: nested(required(UPSTREAM.check), UPSTREAM),
    grantScopes: required(callable, '(user) => ["desk:read"]'),
    secret: required(secrets, 'process.env.MCP_SECRET'),
    storage: methods('get', 'set', 'add', 'take'),
    registration: [flag, true],
    clientDocuments: [flag, true],
    accessTokenSeconds: [positive, 600],
    refreshTokenSeconds: [positive, 14 * DAY],
    unusedRegistrationSeconds: [positive, DAY],
    maxRegistrationsPerAddress: [positive, 30],
    maxRegistrations: [positive, 3000],
    maxAuthorizationsPerAddress: [positive, 300],
    maxAuthorizations: [positive, 20_000],
    maxTokenRequestsPerAddress: [positive, 3000],
    maxTokenRequests: [positive, 60_000],
    maxDocumentsPerAddress: [positive, 60],
    maxDocuments: [positive, 2000],
    resourceServers: [list(RESOURCE_SERVER.check), []],
    consent: [CONSENT, {}],
  },
  { together: assertResourceServers },
);

function assertResourceServers(
  option: string,
  { resources: known, resourceServers = [] }: AuthorizationServerOptions,
): void {
  resourceServers.forEach(({ resource }, index) => {
    if (!Object.hasOwn(known, resource))
      fail(`${option}.resourceServers[${index}].resource`, 'must be one of "resources"');
  });
}

/**
 * Checks the options and fills in defaults.
 *
 * @throws {McpConfigurationError} for the first invalid option
 */
export function buildAuthorizationServerSettings(
  options: AuthorizationServerOptions,
): AuthorizationServerSettings {
  asserting(McpConfigurationError, () => AUTHORIZATION_SERVER.check('authorizationServer', options));
  const { upstream, secret, consent, ...settings } = AUTHORIZATION_SERVER.build(options);
  return {
    ...settings,
    upstream: buildUpstreamSettings(upstream),
    secrets: typeof secret === 'string' ? [secret] : secret,
    consent: CONSENT.build(consent),
    path: new URL(settings.issuer).pathname,
  };
}
