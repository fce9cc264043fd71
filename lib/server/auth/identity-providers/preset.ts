import { findUrl } from '../../../core/oauth/find-url.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';

/** Settings that every preset takes. Spread the preset to add any other setting of tokens. */
export interface PresetOptions {
  /**
   * The accepted audiences of tokens. A token must name one of them.
   * @default the `resourceUri` of the server, if the preset does not say otherwise
   */
  readonly audience?: string | readonly string[];
  /** The URL of the provider's keys. @default where the provider has them */
  readonly jwksUrl?: string;
}

/**
 * Returns the base URL of a provider, without a slash at the end: `login.example.com` becomes
 * `https://login.example.com`.
 *
 * @param mayBeInsecure whether it may be `http`. `auth.insecureHosts` then says for which hosts
 * @throws {McpConfigurationError} if keys cannot be fetched safely from there
 */
export function buildBaseUrl(option: string, given: string, mayBeInsecure = false): string {
  const url = (given.includes('://') ? given : `https://${given}`).replace(/\/+$/, '');
  const { protocol, search, hash } = findUrl(url) ?? {};
  const isFit = isSecureUrl(url) || (mayBeInsecure && protocol === 'http:');
  if (isFit && search === '' && hash === '') return url;
  throw new McpConfigurationError(
    option,
    'must be a host name or an "https:" URL, such as "https://login.example.com"',
  );
}

/**
 * Checks an identifier that becomes a part of URLs.
 *
 * @throws {McpConfigurationError} if it is of another form
 */
export function assertIdentifier(option: string, given: string, form: IdentifierForm): void {
  if (form.pattern.test(given)) return;
  throw new McpConfigurationError(option, form.expected);
}

/** What an identifier looks like. */
export interface IdentifierForm {
  readonly pattern: RegExp;
  /** The text for an identifier of another form. */
  readonly expected: string;
}
