import type { Entry } from './describe-server.js';

/** A secret of a server that a client is told of by a name, and not by its value. */
export interface SecretName {
  /** The variable of the environment that has it. */
  readonly variable: string;
  /** The id of the question by which VS Code asks for it. */
  readonly input: string;
  /** The description for the person who enters it. */
  readonly description: string;
}

/** Where the value of a header, or of a variable of a command, comes from. */
export interface SecretVariable {
  /** The variable of the environment that has it. */
  readonly variable: string;
  /** What stands before it in the header, such as the scheme `Bearer`. */
  readonly before: string;
}

/** Writes the name of a secret as a client reads it. */
export type FormatReference = (secret: SecretName) => string;

/** As Cursor and Windsurf read it. */
export const formatEnvReference: FormatReference = ({ variable }) => `\${env:${variable}}`;

/** As Claude Code, Gemini CLI and `mcp-remote` read it. */
export const formatShellReference: FormatReference = ({ variable }) => `\${${variable}}`;

/** As VS Code reads it, which asks its user once and keeps the answer. */
export const formatInputReference: FormatReference = ({ input }) => `\${input:${input}}`;

/**
 * Names the secret in a header of a server. That of `Authorization` is a token, unless a variable has the whole header.
 *
 * @param given where the value comes from @default a variable that is named after the server
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

/** Describes the question by which VS Code asks for a secret. */
export function describeInput({ input, description }: SecretName): Entry {
  return { type: 'promptString', id: input, description, password: true };
}
