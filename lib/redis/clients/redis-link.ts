/** The members of a client of `ioredis` that the package uses, for one Redis, Sentinel or Redis Cluster. */
export interface IoredisClient {
  readonly status: string;
  call(command: string, ...values: string[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  disconnect(): void;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** The members of a client of `redis` that the package uses, for one Redis, Sentinel or Redis Cluster. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  /** A client of Redis Cluster lacks it in release 5. */
  readonly isReady?: boolean;
  sendCommand(...values: never[]): Promise<unknown>;
  duplicate(...overrides: never[]): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/**
 * A client that the application makes, connects and closes: one of `ioredis` 5 or later, or of `redis` 5 or later.
 *
 * @example
 * import { Redis } from 'ioredis';
 * const client = new Redis(process.env.REDIS_URL);
 * @example
 * import { createClient } from 'redis';
 * const client = await createClient({ url: process.env.REDIS_URL }).connect();
 */
export type RedisClient = IoredisClient | NodeRedisClient;

/** A connection to Redis by a client of any package. */
export interface RedisLink {
  /** Whether a command that is sent now goes to Redis at once, instead of waiting in the client for a connection. */
  readonly isReady: boolean;
  /** Whether the client is not connected yet, or is closed for good. */
  readonly isClosed: boolean;
  /** Why the connection failed last. Absent before {@link keepFailures}, and while there is a connection. */
  readonly failure: LinkFailure | undefined;
  /** Remembers from now on why the connection fails. Returns a function that ends this. */
  keepFailures(): () => void;
  /** Sends a command to the node that has a key. The first word is the name of the command. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Makes another connection. It connects by itself, and closes for good once it fails. */
  duplicate(): RedisLink;
  /** Calls a listener for each change of the connection. Returns a function that ends this. */
  onChange(tell: () => void): () => void;
  /** Closes a connection that {@link duplicate} made. */
  close(): void;
}

/** Why a connection failed. */
export interface LinkFailure {
  /** The code that Redis or the system gives, such as `WRONGPASS` or `ECONNREFUSED`; absent if there is none. */
  readonly reason: string | undefined;
  /** The message of the client, cut to one short line without secrets. */
  readonly text: string;
}

/** The members that errors of clients may have. */
interface ClientError {
  readonly message?: unknown;
  readonly code?: unknown;
  /** The error of the last node of a cluster, by `ioredis`. */
  readonly lastNodeError?: unknown;
  /** The errors of all addresses of a name, by Node. */
  readonly errors?: unknown;
}

const LONGEST_TEXT = 200;

/** After these words, clients and Redis quote commands with their values, which may include a password. */
const COMMAND = / script: |, on @|,? with args beginning with|[\r\n]/;

/** Passwords in URLs may contain any sign. */
const CREDENTIALS = /\/\/\S*@/g;

const CODE = /^[A-Z][A-Z\d_]{2,}$/;
const FIRST_WORD = /^[A-Z]{3,}(?=\s)/;

/** How Redis refuses a command inside a script. Before release 7, the message does not begin with the code. */
const WITHOUT_RIGHT = /\bNOPERM\b|can't run this command/;

/** How Redis refuses a user whom it does not know. Clients of Sentinel quote that at the end of their message. */
const LOGIN_REFUSALS = ['WRONGPASS', 'NOAUTH'];
const LOGIN_REFUSED = new RegExp(String.raw`\b(?:${LOGIN_REFUSALS.join('|')})\b`);

/** The codes for a user whom Redis does not know, or who lacks a right. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([...LOGIN_REFUSALS, 'NOPERM']);

/** How a Redis refuses to write that is a replica, or was cut off from its replicas. Inside a script, release 6 puts more before it. */
const WRITE_REFUSED = /\b(?:READONLY|MASTERDOWN|NOREPLICAS)\b/;

/** Tells whether Redis has refused a command because it takes no writes. The command has done nothing then. */
export function isWriteRefusal(error: unknown): boolean {
  return error instanceof Error && WRITE_REFUSED.test(cutReason(error.message));
}

/** Tells by the reason of a failure whether Redis refuses the user. Trying again does not help then. */
export function isRefusal(reason: string | undefined): boolean {
  return REFUSALS.has(reason);
}

/** Cuts a message of Redis or a client down to the reason. */
function cutReason(said: string): string {
  const [reason = ''] = said.split(COMMAND, 1);
  return reason.replace(CREDENTIALS, '//[hidden]@').slice(0, LONGEST_TEXT);
}

/** Reads the error of a connection. Returns `undefined` if it says nothing. */
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
