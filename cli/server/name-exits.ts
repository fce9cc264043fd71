/** The names of settings that turn off a safe default: the option of programs, and the option of the command line. */
const FLAGS: { readonly [option: string]: string } = {
  insecureHosts: '--insecure-host',
  assumeS256: '--assume-s256',
  ignoreIssuerSlash: '--ignore-issuer-slash',
};

/** Names flags in a text that names the options of a token source. */
export function nameExits(text: string): string {
  return Object.entries(FLAGS).reduce(
    (named, [option, flag]) => named.replaceAll(`"${option}"`, `"${flag}"`),
    text,
  );
}
