/** The login that a command requires. */
export interface NeededLogin {
  readonly serverUrl: string;
  /** The scopes to request, in addition to the scopes in the server's challenge. @default none */
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

/** Words that do not need quotes in any shell. */
const PLAIN = /^[\w:/.@%+=,-]+$/;

const POSIX = {
  canQuote: () => true,
  quote: (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
} as const;

/**
 * Only double quotes work in both Windows shells, and a scope cannot contain them (RFC 6749 §3.3). Inside them,
 * PowerShell still runs words with a `$`, and the other shell replaces words with a `%`. An omitted scope is still
 * requested, because the server names it during the login. An omitted option was typed by the user, who sees that it
 * is missing.
 */
const WINDOWS = {
  canQuote: (word: string) => !/[$`%^!]/.test(word),
  quote: (word: string) => `"${word.replaceAll('"', '')}"`,
} as const;
