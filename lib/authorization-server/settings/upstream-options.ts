import {
  callable,
  fail,
  list,
  nonEmptyString,
  object,
  oneOf,
  required,
  type Check,
} from '../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../core/checks/option-group.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';

/** A person who has logged in at the upstream provider. */
export interface UpstreamUser {
  /** The user's identifier at the provider. It becomes the `sub` claim of the access tokens. */
  readonly subject: string;
  /** What the provider reports about the user: the claims of the ID token, or the document at `userUrl`. */
  readonly claims: { readonly [name: string]: unknown };
}

/**
 * The identity provider where people log in, and the client that you have registered there. The client's redirect URI
 * is the issuer followed by `/callback`.
 *
 * An OpenID provider only needs `issuer`. For a plain OAuth 2.0 provider, set the three URLs and `readSubject`.
 *
 * @see {@link upstreams} for providers that many companies use
 */
export interface UpstreamOptions {
  /** The name that the consent page shows. @default the provider's host */
  readonly name?: string;
  /** The ID of the client that you have registered with the provider. */
  readonly clientId: string;
  /** The secret of that client. Read it from the environment. */
  readonly clientSecret: string;
  /** The issuer of an OpenID provider, whose metadata contains all URLs. @default none: the URLs below are required */
  readonly issuer?: string;
  /** Where people log in. @default from the issuer's metadata */
  readonly authorizationUrl?: string;
  /** Where codes are exchanged. @default from the issuer's metadata */
  readonly tokenUrl?: string;
  /** Where a document about the user is read with the access token. @default none: only the ID token is read */
  readonly userUrl?: string;
  /** The scopes that are requested from the provider. @default ['openid', 'profile', 'email'] with `issuer`, otherwise [] */
  readonly scopes?: readonly string[];
  /** Additional parameters of the authorization request, such as `access_type`. @default {} */
  readonly parameters?: { readonly [name: string]: string };
  /** How the client authenticates at the token endpoint. @default 'client_secret_basic' */
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';
  /** Finds the user's identifier in the claims. @default the `sub` claim */
  readonly readSubject?: (claims: UpstreamUser['claims']) => string | undefined;
}

type OpenUpstreamOption = 'name' | 'issuer' | 'authorizationUrl' | 'tokenUrl' | 'userUrl' | 'readSubject';

/** The options of an upstream provider with all defaults filled in. */
export interface UpstreamSettings extends Omit<Settings<UpstreamOptions, OpenUpstreamOption>, 'name'> {
  readonly name: string;
}

const secureUrl: Check = (option, value) => {
  if (typeof value === 'string' && isSecureUrl(value)) return;
  fail(option, 'must be an "https" URL; "http" is only allowed on this machine');
};

/** Microsoft's login hosts, in all its clouds. */
const ENTRA_ID = /^login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)$/;
const TENANT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const upstreamIssuer: Check = (option, value) => {
  secureUrl(option, value);
  const { hostname, pathname } = new URL(value as string);
  const [, tenant = ''] = pathname.split('/');
  if (ENTRA_ID.test(hostname) && !TENANT_ID.test(tenant))
    fail(
      option,
      `must contain the tenant ID, a GUID, instead of "${tenant}", because tokens of Entra ID contain it as their issuer: set "tenant" to the "Tenant ID" on the overview page of the Entra admin center`,
    );
};

/** Checks an object with non-empty string values. */
export const strings: Check = (option, value) => {
  object(option, value);
  for (const [name, one] of Object.entries(value as object)) nonEmptyString(`${option}.${name}`, one);
};

/** The validation and the defaults of the option `upstream`. */
export const UPSTREAM = optionGroup<UpstreamOptions, OpenUpstreamOption>(
  {
    name: nonEmptyString,
    clientId: required(nonEmptyString, 'process.env.LOGIN_CLIENT_ID'),
    clientSecret: required(nonEmptyString, 'process.env.LOGIN_CLIENT_SECRET'),
    issuer: upstreamIssuer,
    authorizationUrl: secureUrl,
    tokenUrl: secureUrl,
    userUrl: secureUrl,
    scopes: [
      list(nonEmptyString),
      ({ issuer }) => (issuer === undefined ? [] : ['openid', 'profile', 'email']),
    ],
    parameters: [strings, {}],
    clientAuthentication: [oneOf('client_secret_basic', 'client_secret_post'), 'client_secret_basic'],
    readSubject: callable,
  },
  { together: assertReachable },
);

function assertReachable(option: string, { issuer, ...given }: UpstreamOptions): void {
  if (issuer !== undefined) return;
  for (const name of ['authorizationUrl', 'tokenUrl', 'userUrl'] as const) {
    if (given[name] === undefined) fail(`${option}.${name}`, 'is required without "issuer"');
  }
}

/** Fills in the defaults of checked options. */
export function buildUpstreamSettings(options: UpstreamOptions): UpstreamSettings {
  const { name, ...settings } = UPSTREAM.build(options);
  const url = options.issuer ?? options.authorizationUrl;
  return { ...settings, name: name ?? new URL(String(url)).host };
}
