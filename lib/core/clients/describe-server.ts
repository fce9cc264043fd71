/** A server at a URL, as a client configures it. */
export interface ServerAddress {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: { readonly [name: string]: string };
}

/** A client's configuration entry for a server. */
export interface Entry {
  readonly [member: string]: unknown;
}

/** Describes a server for clients that need only its URL. */
export function describeUrl({ url, headers }: ServerAddress): Entry {
  return { url, ...onlyFilled({ headers }) };
}

/** Describes a server for clients that also need its transport. */
export function describeTyped(address: ServerAddress): Entry {
  return { type: 'http', ...describeUrl(address) };
}

/**
 * Describes a server for clients that can only start local servers: a bridge connects to the URL. On Windows, some
 * clients split arguments at spaces, so each header value is in an environment variable that the bridge substitutes.
 * @see https://github.com/punkpeye/mcp-remote#custom-headers
 */
export function describeBridge({ url, headers }: ServerAddress): Entry {
  const given = Object.entries(headers).map(([name, value]) => {
    const reference = `\${${nameHeaderVariable(name)}}`;
    return ONE_REFERENCE.test(value) ? { name, text: value } : { name, text: reference, value };
  });
  const args = given.flatMap(({ name, text }) => ['--header', `${name}:${text}`]);
  const env = Object.fromEntries(
    given.flatMap(({ name, value }) => (value === undefined ? [] : [[nameHeaderVariable(name), value]])),
  ) as Entry;
  return {
    command: 'npx',
    args: ['-y', 'mcp-remote', url, ...(isRefused(url) ? ['--allow-http'] : []), ...args],
    ...onlyFilled({ env }),
  };
}

/** A variable reference that the bridge substitutes. */
const ONE_REFERENCE = /^\$\{\w+\}$/;

/** Names the environment variable that holds a header's value for the bridge. No header may overwrite `PATH` or the like. */
export function nameHeaderVariable(header: string): string {
  const name = header.toUpperCase().replace(/[^A-Z\d]/g, '_');
  return /^(?:AUTHORIZATION$|X_)/.test(name) ? name : `HEADER_${name}`;
}

/** Without an option, the bridge accepts plain `http` only for two names of this machine. */
function isRefused(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
}

/** Drops empty properties. */
export function onlyFilled(members: { readonly [name: string]: object }): Entry {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value).length > 0));
}
