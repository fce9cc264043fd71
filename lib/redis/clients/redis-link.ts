/** The part of an `ioredis` client that this package uses, for a single Redis, Sentinel or Redis Cluster. */
export interface IoredisClient {
  readonly status: string;
  call(command: string, ...values: string[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  disconnect(): void;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** The part of a `redis` client that this package uses, for a single Redis, Sentinel or Redis Cluster. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  /** Missing in release 5 Redis Cluster clients. */
  readonly isReady?: boolean;
  sendCommand(...values: never[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/**
 * A client that the application creates, connects and closes, from `ioredis` 5 or later, or `redis` 5 or later.
 *
 * @example
 * import { Redis } from 'ioredis';
 * const client = new Redis(process.env.REDIS_URL);
 * @example
 * import { createClient } from 'redis';
 * const client = await createClient({ url: process.env.REDIS_URL }).connect();
 */
export type RedisClient = IoredisClient | NodeRedisClient;

/** A connection to Redis, with the client of either package. */
export interface RedisLink {
  /** Whether a command would be sent immediately instead of being queued in the client. */
  readonly isReady: boolean;
  /** Whether the client is not connected yet, or is closed. */
  readonly isClosed: boolean;
  /** Why the connection last failed. Absent before {@link recordFailures}, and while there is a connection. */
  readonly failure: LinkFailure | undefined;
  /** Starts to record why the connection fails. Returns a function that stops this. */
  recordFailures(): () => void;
  /** Sends a command to a key's node. The first element is the command name. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Opens another connection. The new connection opens automatically, and closes once it fails. */
  duplicate(): RedisLink;
  /** Calls a listener each time the connection changes. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  /** Closes a {@link duplicate}. */
  close(): void;
}

/** Why a connection failed. */
export interface LinkFailure {
  /** The error code from Redis or the system, such as `WRONGPASS` or `ECONNREFUSED`; absent if there is none. */
  readonly reason: string | undefined;
  /** The client's message, shortened to one line without secrets. */
  readonly text: string;
}

/** The properties that client errors may have. */
interface ClientError {
  readonly message?: unknown;
  readonly code?: unknown;
  /** The last cluster node's error, from `ioredis`. */
  readonly lastNodeError?: unknown;
  /** The errors for all of a host name's addresses, from Node. */
  readonly errors?: unknown;
}

const LONGEST_TEXT = 200;

/** After these strings, messages quote commands with their values, which may include a password. */
const COMMAND = / script: |, on @|,? with args beginning with|[\r\n]/;

/** Passwords in URLs may contain any character. */
const CREDENTIALS = /\/\/\S*@/g;

const CODE = /^[A-Z][A-Z\d_]{2,}$/;
const FIRST_WORD = /^[A-Z]{3,}(?=\s)/;

/**
 * How Redis refuses a command without permission inside a script. Before release 7, the message does not start with
 * the code.
 */
const WITHOUT_RIGHT = /\bNOPERM\b|can't run this command/;

/** How Redis refuses a login. Sentinel clients quote it at the end of their message. */
const LOGIN_REFUSALS = ['WRONGPASS', 'NOAUTH'];
const LOGIN_REFUSED = new RegExp(String.raw`\b(?:${LOGIN_REFUSALS.join('|')})\b`);

/** The codes for a refused login or a missing permission. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([...LOGIN_REFUSALS, 'NOPERM']);

/** How Redis refuses writes on a replica, or without enough replicas. Inside a script, release 6 prefixes the code. */
const WRITE_REFUSED = /\b(?:READONLY|MASTERDOWN|NOREPLICAS)\b/;

/** Returns whether Redis has refused a command because it does not accept writes. The command then had no effect. */
export function isWriteRefusal(error: unknown): boolean {
  return error instanceof Error && WRITE_REFUSED.test(cutReason(error.message));
}

/** Returns whether Redis rejected the user, so that retrying does not help. */
export function isRefusal(reason: string | undefined): boolean {
  return REFUSALS.has(reason);
}

/** Shortens a message from Redis or a client to the reason. */
function cutReason(said: string): string {
  const [reason = ''] = said.split(COMMAND, 1);
  return reason.replace(CREDENTIALS, '//[hidden]@').slice(0, LONGEST_TEXT);
}

/** Parses a connection's error. Returns `undefined` if it has no message. */
export function parseLinkFailure(error: unknown): LinkFailure | undefined {
  if (typeof error === 'string') return createFailure(error, undefined);
  if (typeof error !== 'object' || error === null) return undefined;
  const { message, code, lastNodeError, errors } = error as ClientError;
  const said = typeof message === 'string' ? message : '';
  const name = typeof code === 'string' && CODE.test(code) ? code : undefined;
  const cause = parseLinkFailure(lastNodeError ?? (Array.isArray(errors) ? errors[0] : undefined));
  if (cause === undefined) return createFailure(said, name);
  const text = said === '' ? cause.text : `${said.replace(/\.$/, '')}: ${cause.text}`;
  return createFailure(text, cause.reason ?? name);
}

function createFailure(said: string, name: string | undefined): LinkFailure | undefined {
  const text = cutReason(said);
  if (text === '') return undefined;
  return { reason: findReason(text, name), text };
}

function findReason(text: string, name: string | undefined): string | undefined {
  if (WITHOUT_RIGHT.test(text)) return 'NOPERM';
  return LOGIN_REFUSED.exec(text)?.[0] ?? name ?? FIRST_WORD.exec(text)?.[0];
}
