import { JwtValidator } from '../../../lib/server/auth/validators/jwt/jwt.validator.js';
import type { Claims } from '../../../lib/core/oauth/access-token.js';
import { assertOptions } from '../../../lib/server/settings/mcp-options.js';
import type { JwtOptions } from '../../../lib/server/settings/auth/jwt-options.js';
import { buildAuthSettings } from '../../../lib/server/settings/auth/auth-options.js';
import { signToken, type TokenParts } from '../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { SERVER_INFO } from './settings.js';

/** The server that tokens are meant for. */
export const RESOURCE = 'https://desk.example.com/mcp';

/** When the tokens are issued, used and of no use any more, in seconds of the epoch. */
export const TIMES = { iat: nowPlus(-60), exp: nowPlus(3600) };

/** A provider whose keys are here, and whose tokens are of whatever shape they really have. */
export class ProviderTokens {
  private constructor(private readonly issuer: TestIssuer) {}

  static async start(): Promise<ProviderTokens> {
    return new ProviderTokens(await TestIssuer.start({ algorithm: 'RS256' }));
  }

  /** Where the provider's keys are, in the place of where a preset finds them. */
  get jwksUrl(): string {
    return this.issuer.jwksUrl;
  }

  /** Signs a token; its header has `alg` and `kid`, and what is given besides. */
  async sign(payload: object, header: TokenParts['header'] = {}): Promise<string> {
    const [key] = this.issuer.keys;
    if (key === undefined) throw new Error('The provider has no key');
    const parts = { header: { kid: key.kid, alg: key.algorithm, ...header }, payload };
    return signToken(parts, key.privateKey);
  }

  /**
   * Validates a token as a server with these settings of tokens does.
   *
   * @throws {InvalidTokenError} where it is no good
   * @throws Error where it is not recognized
   */
  async validate(jwt: JwtOptions, token: string): Promise<Claims> {
    const options = { resourceUri: RESOURCE, authorizationServers: [this.issuer.url], jwt };
    assertOptions({ serverInfo: SERVER_INFO, auth: options });
    const [settings] = buildAuthSettings(options).jwt;
    if (settings === undefined) throw new Error('There are no settings of tokens');
    const outcome = await new JwtValidator(settings).validate(token);
    if ('unrecognized' in outcome) throw new Error(`Not recognized: ${outcome.unrecognized}`);
    return outcome.authentication.claims;
  }

  stop(): Promise<void> {
    return this.issuer.stop();
  }
}

function nowPlus(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}
