import { randomUUID } from 'node:crypto';
import { errors, type Configuration, type Provider } from 'oidc-provider';
import { importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import type { AuthorizationServerExtension } from '../../03-protected/authorization-server/authorization-server.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const LIFETIME_SECONDS = 300;

/** Who may exchange tokens, and what for. */
export interface ExchangeRules {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The server that tokens come from: those that were given for it. */
  readonly from: string;
  /** The server that tokens are exchanged for. */
  readonly to: string;
}

type Parameters = { readonly [name in (typeof PARAMETERS)[number]]?: string };

const PARAMETERS = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'resource',
  'scope',
] as const;

/**
 * Lets one client exchange its users' tokens for those of another server, as identity providers do: for the same user, and
 * for nothing that the user did not allow (RFC 8693).
 */
export function allowExchange(
  configuration: Configuration,
  rules: ExchangeRules,
): AuthorizationServerExtension {
  const { clientId, clientSecret } = rules;
  const [key] = (configuration.jwks as { readonly keys: readonly JWK[] }).keys;
  const agent = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_types: [TOKEN_EXCHANGE],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic' as const,
  };
  return {
    configuration: {
      ...configuration,
      clientAuthMethods: ['none', 'client_secret_basic'],
      clients: [agent],
    },
    prepare: (provider) => addGrant(provider, key ?? {}, rules),
  };
}

function addGrant(provider: Provider, key: JWK, { from, to }: ExchangeRules): void {
  provider.registerGrantType<Parameters>(
    TOKEN_EXCHANGE,
    async (context) => {
      const { params, client } = context.oidc;
      if (params.resource !== to) throw new errors.InvalidTarget();
      const { sub, scopes } = await readSubject(params, { key, issuer: provider.issuer, from });
      const scope = narrow(scopes, params.scope);
      const token = await new SignJWT({ scope, client_id: client.clientId, act: { sub: client.clientId } })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setIssuer(provider.issuer)
        .setSubject(sub)
        .setAudience(to)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS} s`)
        .setJti(randomUUID())
        .sign(await importJWK(key, 'ES256'));
      context.body = {
        access_token: token,
        issued_token_type: ACCESS_TOKEN,
        token_type: 'Bearer',
        expires_in: LIFETIME_SECONDS,
        scope,
      };
    },
    PARAMETERS,
  );
}

interface SubjectRules {
  readonly key: JWK;
  readonly issuer: string;
  readonly from: string;
}

/** Reads whose token it is, and what that user allowed. */
async function readSubject(
  { subject_token: token = '', subject_token_type: kind }: Parameters,
  { key: { d: _private, ...publicKey }, issuer, from }: SubjectRules,
): Promise<{ readonly sub: string; readonly scopes: readonly string[] }> {
  if (kind !== ACCESS_TOKEN) throw new errors.InvalidRequest('subject_token_type must be an access token');
  try {
    const verifying = await importJWK(publicKey, 'ES256');
    const { payload } = await jwtVerify<{ scope?: string }>(token, verifying, {
      issuer,
      audience: from,
      requiredClaims: ['sub', 'scope'],
    });
    return { sub: payload.sub ?? '', scopes: payload.scope?.split(' ') ?? [] };
  } catch {
    throw new errors.InvalidGrant('subject_token is not one of this server for its client');
  }
}

/** Nobody gets by an exchange what the user did not allow. */
function narrow(allowed: readonly string[], wanted: string | undefined): string {
  const scopes = wanted === undefined ? allowed : wanted.split(' ');
  if (scopes.every((scope) => allowed.includes(scope))) return scopes.join(' ');
  throw new errors.InvalidScope('the user allowed less', scopes.join(' '));
}
