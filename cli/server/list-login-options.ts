/** The options that a later login needs again. A header that is given as it is may be a secret, and is not written out. */
const NEEDED_AGAIN = [
  'client-id',
  'client-secret-env',
  'client-metadata-url',
  'issuer',
  'param',
  'redirect-uri',
  'callback-port',
  'header-env',
  'insecure-host',
  'assume-s256',
  'ignore-issuer-slash',
  'dpop',
] as const;

/** What they were given. */
type LoginValues = {
  readonly [Name in (typeof NEEDED_AGAIN)[number]]?: string | boolean | readonly string[] | undefined;
};

/** Lists the options that a command was given for a login, each as one word of a command line. */
export function listLoginOptions(values: LoginValues): readonly string[] {
  return NEEDED_AGAIN.flatMap((name) => {
    const given = values[name] ?? [];
    if (typeof given === 'boolean') return given ? [`--${name}`] : [];
    return [given].flat().map((value) => `--${name}=${value}`);
  });
}
