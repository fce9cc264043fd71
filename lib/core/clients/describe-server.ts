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

/** Describes a server for clients that start every server themselves: a bridge leads to the URL. */
export function describeBridge({ url, headers }: ServerAddress): Entry {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]);
  return { command: 'npx', args: ['-y', 'mcp-remote', url, ...given] };
}

/** Leaves out what is empty. */
export function onlyFilled(members: { readonly [name: string]: object }): Entry {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value).length > 0));
}
