/** What gives up a default, as programs set it and as whoever sits at a terminal does. */
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
