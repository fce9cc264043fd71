import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isSameSecret } from '../sealing/hmac-sha256.js';

/** The environment variable that `nestjs-mcp-cli dev` uses to pass an application the report address and a shared secret. */
export const DEVELOPMENT_VARIABLE = 'NESTJS_MCP_DEV';

/** Where an application sends its reports. */
export interface DevConnection {
  /** A local socket's path, or a pipe name. */
  readonly path: string;
  /** The secret that both sides prove to each other. */
  readonly secret: string;
}

/** Formats the connection as the variable's value. */
export function formatDevConnection({ path, secret }: DevConnection): string {
  return `${secret}@${path}`;
}

/**
 * Reads the connection from the environment. Returns `undefined` if there is none, or if the application is in
 * production. The variable may be left over from an earlier `dev`: if its socket no longer exists, there is no
 * connection either.
 */
export function findDevConnection(environment: NodeJS.ProcessEnv): DevConnection | undefined {
  // A Windows shell includes the space before "&&".
  if (environment['NODE_ENV']?.trim().toLowerCase() === 'production') return undefined;
  const [, secret, path] = /^([\w-]{32,})@(.+)$/s.exec(environment[DEVELOPMENT_VARIABLE] ?? '') ?? [];
  return secret === undefined || path === undefined || isGone(path) ? undefined : { path, secret };
}

/** On Windows, checking a pipe would open it. */
function isGone(path: string): boolean {
  return process.platform !== 'win32' && !existsSync(path);
}

/** Derives the secret that signs sessions. It stays the same while `dev` runs, whatever restarts. */
export function deriveSessionSecret({ secret }: Pick<DevConnection, 'secret'>): string {
  return createHmac('sha256', secret).update('sessions').digest('base64url');
}

/** The side that proves that it knows the secret. One side's proof is not valid for the other. */
export type ProofOwner = 'terminal' | 'application';

/** Builds a proof that its sender knows the secret, without revealing it. */
export function buildProof(secret: string, owner: ProofOwner, nonce: string): string {
  return createHmac('sha256', secret).update(`${owner}:${nonce}`).digest('base64url');
}

/** Compares a value with the expected proof, in constant time. */
export function isProof(value: unknown, expected: string): boolean {
  return typeof value === 'string' && isSameSecret(Buffer.from(expected), Buffer.from(value));
}

/** The maximum number of characters in each side's first message. */
export const LONGEST_GREETING = 4096;

/** Splits a socket's data into messages, one JSON document per line. */
export class MessageLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** @param longest the maximum number of characters in a message */
  constructor(public longest: number) {}

  /**
   * Adds received data, and returns the messages that are complete.
   *
   * @throws {SyntaxError} if a line is not JSON
   * @throws {RangeError} if a line is too long
   */
  read(chunk: Buffer): readonly unknown[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > this.longest || lines.some(({ length }) => length > this.longest)) {
      throw new RangeError(`A message can have at most ${this.longest} characters`);
    }
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Formats a message as a line. */
export function formatMessage(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
