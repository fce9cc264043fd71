/** The login that a command requires. */
export interface NeededLogin {
  readonly serverUrl: string;
  /** The scopes to request, in addition to those of the server's challenge. @default none */
  readonly scopes?: readonly string[] | undefined;
  /** Further options, each as one argument. @default none */
  readonly options?: readonly string[] | undefined;
}

/** Formats a login command that is safe to paste into a shell: the server chooses the scopes, which may look like commands. */
export function formatLoginCommand(
  { serverUrl, scopes = [], options = [] }: NeededLogin,
  platform: NodeJS.Platform = process.platform,
): string {
  const { canQuote, quote } = platform === 'win32' ? WINDOWS : POSIX;
  const given = [...options, ...scopes.map((scope) => `--scope=${scope}`)].filter(canQuote);
  const words = [serverUrl, ...given].map((word) => (PLAIN.test(word) ? word : quote(word)));
  return `npx nestjs-mcp-cli login ${words.join(' ')}`;
}

/** What needs no quotes in any shell. */
const PLAIN = /^[\w:/.@%+=,-]+$/;

const POSIX = {
  canQuote: () => true,
  quote: (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
} as const;

/**
 * Only double quotes mean the same to both shells of Windows, and a scope has none (RFC 6749 §3.3). Between them PowerShell still runs
 * what has a `$`, and the other shell replaces what has a `%`. A scope that is left out is asked for all the same, because the
 * server names it at the login. An option that is left out was typed by the user, who sees that it is missing.
 */
const WINDOWS = {
  canQuote: (word: string) => !/[$`%^!]/.test(word),
  quote: (word: string) => `"${word.replaceAll('"', '')}"`,
} as const;
