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
 * clients split arguments at spaces, so each header value is passed in an environment variable that the bridge
 * substitutes.
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

/**
 * Names the environment variable that holds a header's value for the bridge. No header may overwrite `PATH` or a
 * similar variable.
 */
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

/** A server's secret, which a client's configuration references by name. */
export interface SecretName {
  /** The environment variable that holds it. */
  readonly variable: string;
  /** The ID that VS Code uses to prompt for it. */
  readonly input: string;
  /** The description for the person who enters it. */
  readonly description: string;
}

/** The source of a header value, or of a command's variable. */
export interface SecretVariable {
  /** The environment variable that holds it. */
  readonly variable: string;
  /** The prefix in the header, such as the scheme `Bearer`. */
  readonly before: string;
}

/** Formats the reference to a secret as a client reads it. */
export type FormatReference = (secret: SecretName) => string;

/** As Cursor and Windsurf read it. */
export const formatEnvReference: FormatReference = ({ variable }) => `\${env:${variable}}`;

/** As Claude Code, Gemini CLI and `mcp-remote` read it. */
export const formatShellReference: FormatReference = ({ variable }) => `\${${variable}}`;

/** As VS Code reads it, prompting the user once and storing the value. */
export const formatInputReference: FormatReference = ({ input }) => `\${input:${input}}`;

/**
 * Names the secret in a server's header. In `Authorization`, it is a token, unless a variable holds the whole header.
 *
 * @param given the source of the value @default a variable named after the server
 */
export function nameSecret(server: string, header = 'authorization', given?: SecretVariable): SecretName {
  const isToken = header.toLowerCase() === 'authorization' && given?.before !== '';
  const subject = isToken ? 'token' : header;
  const words = (given?.variable ?? `${server} ${subject}`).toLowerCase().split(/[^a-z\d]+/);
  const variable = words.join('_').toUpperCase();
  return {
    variable: given?.variable ?? (/^\d/.test(variable) ? `_${variable}` : variable),
    input: words.filter((word) => word !== '').join('-'),
    description: `${server}: ${subject}`,
  };
}

/** Describes the VS Code prompt for a secret. */
export function describeInput({ input, description }: SecretName): Entry {
  return { type: 'promptString', id: input, description, password: true };
}

/** The name for a server without a better one. */
export const ANY_NAME = 'server';

/**
 * Turns any string into a server name that every client accepts and no shell changes. The names of its variables and
 * prompts start with it.
 */
export function nameServer(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? ANY_NAME : name;
}
