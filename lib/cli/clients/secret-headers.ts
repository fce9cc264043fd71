import { nameSecret, type FormatReference, type SecretName } from '../../core/clients/secret-reference.js';
import type { GivenHeaders } from '../server/parse-header.js';

/** A header whose secret is not written down. */
export interface ReferredHeader {
  readonly header: string;
  readonly secret: SecretName;
}

/** Headers that may be written into a file of a project. */
export interface PublicHeaders {
  readonly headers: GivenHeaders;
  readonly referred: readonly ReferredHeader[];
}

/** The names of headers and variables that carry secrets. */
const SECRET_NAME = /auth|cookie|credential|key|pass|secret|token/i;

/** A placeholder that a client replaces by its value. */
const REFERENCE = /\$\{[^}]+\}|\$[A-Za-z_]\w*/;

/** Tells by its name whether a value is a secret. A value that only names a secret is not one. */
export function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && value !== '' && !namesSecret(value);
}

/** Tells whether a text has a name that a client replaces. */
export function namesSecret(value: string): boolean {
  return REFERENCE.test(value);
}

/** Writes something instead of a secret, behind the scheme of an `Authorization`. */
export function replaceSecret(name: string, value: string, replacement: string): string {
  const scheme = /authorization$/i.test(name) ? (/^[\w-]+\s+/.exec(value)?.[0] ?? '') : '';
  return scheme + replacement;
}

/** Writes names instead of the secrets in headers. */
export function referSecrets(headers: GivenHeaders, server: string, format: FormatReference): PublicHeaders {
  const referred = Object.entries(headers)
    .filter(([header, value]) => isSecret(header, value))
    .map(([header]) => ({ header, secret: nameSecret(server, header) }));
  const replaced = referred.map(({ header, secret }) => [
    header,
    replaceSecret(header, headers[header] ?? '', format(secret)),
  ]);
  return { headers: { ...headers, ...Object.fromEntries(replaced) }, referred };
}
