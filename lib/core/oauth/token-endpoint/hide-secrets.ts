import { encodeForm } from './basic-credentials.js';
import type { ClientIdentity } from './client-identity.js';
import type { TokenSendRequest } from './token-send.interface.js';

/** The parameters that must not appear in an error. */
const SECRET_PARAMETERS = [
  'assertion',
  'token',
  'subject_token',
  'code',
  'code_verifier',
  'refresh_token',
  'client_assertion',
];

/** Removes a request's secrets from a string, in each form in which they were sent. */
export function redactSecrets(
  text: string,
  { clientSecret }: ClientIdentity,
  { headers, body }: TokenSendRequest,
): string {
  const [, credentials] = headers['authorization']?.split(' ') ?? [];
  const values = [clientSecret, credentials, ...SECRET_PARAMETERS.map((name) => body.get(name))];
  const secrets = values.filter((value): value is string => typeof value === 'string' && value !== '');
  const forms = new Set(secrets.flatMap((secret) => [secret, encodeForm(secret)]));
  // One may be a prefix of another, whose rest would remain.
  const longestFirst = [...forms].toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text);
}
