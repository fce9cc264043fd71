import type { Entry } from './describe-server.js';

/** A secret of a server, which a client's configuration references by name. */
export interface SecretName {
  /** The environment variable that holds it. */
  readonly variable: string;
  /** The ID under which VS Code prompts for it. */
  readonly input: string;
  /** The description for the person who enters it. */
  readonly description: string;
}

/** The source of a header's value, or of a command's variable. */
export interface SecretVariable {
  /** The environment variable that holds it. */
  readonly variable: string;
  /** What precedes it in the header, such as the scheme `Bearer`. */
  readonly before: string;
}

/** Formats the reference to a secret as a client reads it. */
export type FormatReference = (secret: SecretName) => string;

/** As Cursor and Windsurf read it. */
export const formatEnvReference: FormatReference = ({ variable }) => `\${env:${variable}}`;

/** As Claude Code, Gemini CLI and `mcp-remote` read it. */
export const formatShellReference: FormatReference = ({ variable }) => `\${${variable}}`;

/** As VS Code reads it, which prompts its user once and stores the value. */
export const formatInputReference: FormatReference = ({ input }) => `\${input:${input}}`;

/**
 * Names the secret in a server's header. In `Authorization` it is a token, unless a variable holds the whole header.
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
