import { type FormatReference, nameSecret, type SecretName } from '../../lib/core/clients/describe-server.js';
import type { GivenHeaders } from '../server/parse-header.js';
import type { SecretVariables } from './client.interface.js';

/** A header or variable whose secret is replaced by a reference. */
export interface HeaderReference {
  readonly header: string;
  readonly secret: SecretName;
}

/** Headers or variables with references instead of secrets. */
export interface PublicHeaders {
  readonly headers: GivenHeaders;
  readonly referred: readonly HeaderReference[];
}

/** The names of headers and variables that carry secrets. */
const SECRET_NAME = /auth|cookie|credential|key|pass|secret|token/i;

/** A reference that a client replaces with a value. */
const REFERENCE = /\$\{[^}]+\}|\$[A-Za-z_]\w*/;

/** A value that is only a reference, after the scheme of an `Authorization`: a password may contain a `$`. */
const ONLY_REFERENCE = /^(?:[\w-]+\s+)?(?:\$\{[^}]+\}|\$[A-Z_][A-Z\d_]*)$/;

/** Returns whether the name of a value marks it as a secret. A value that is only a reference is not a secret. */
export function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && value !== '' && !isReference(value);
}

/** Returns whether a value is only a reference. */
export function isReference(value: string): boolean {
  return ONLY_REFERENCE.test(value);
}

/** Returns whether a string contains a reference. */
export function namesSecret(value: string): boolean {
  return REFERENCE.test(value);
}

/** Replaces a secret, but preserves the scheme of an `Authorization`. */
export function replaceSecret(name: string, value: string, replacement: string): string {
  const scheme = /authorization$/i.test(name) ? (/^[\w-]+\s+/.exec(value)?.[0] ?? '') : '';
  return scheme + replacement;
}

/** Replaces secrets among headers or variables with references. */
export function referSecrets(
  values: GivenHeaders,
  { server, variables }: { readonly server: string; readonly variables: SecretVariables },
  format: FormatReference,
): PublicHeaders {
  const referred = listSecrets(values, variables).map((header) => ({
    header,
    secret: nameSecret(server, header, variables.get(header)),
  }));
  const replaced = referred.map(({ header, secret }) => {
    const given = variables.get(header);
    const reference = format(secret);
    return [
      header,
      given === undefined
        ? replaceSecret(header, values[header] ?? '', reference)
        : `${given.before}${reference}`,
    ];
  });
  return { headers: { ...values, ...Object.fromEntries(replaced) }, referred };
}

/** Lists the secret names: values that are named like a secret, or that are read from the environment. */
export function listSecrets(values: GivenHeaders, variables: SecretVariables): readonly string[] {
  return Object.keys(values).filter((name) => variables.has(name) || isSecret(name, values[name] ?? ''));
}
