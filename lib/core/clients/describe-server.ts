/** A server at a URL, as a client is told of it. */
export interface ServerAddress {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: { readonly [name: string]: string };
}

/** What a client writes down for a server. */
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
 * Describes a server for clients that start every server themselves: a bridge leads to the URL. On Windows some clients break
 * arguments at their blanks, so that each header has its value in a variable, whose name the bridge replaces.
 *
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

/** The name of a variable as the bridge replaces it. */
const ONE_REFERENCE = /^\$\{\w+\}$/;

/** Names the variable that has the value of a header for a bridge. No header may stand for `PATH` or the like. */
export function nameHeaderVariable(header: string): string {
  const name = header.toUpperCase().replace(/[^A-Z\d]/g, '_');
  return /^(?:AUTHORIZATION$|X_)/.test(name) ? name : `HEADER_${name}`;
}

/** Without an option, the bridge takes plain `http` to two names of this machine alone. */
function isRefused(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
}

/** Leaves out what is empty. */
export function onlyFilled(members: { readonly [name: string]: object }): Entry {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value).length > 0));
}
