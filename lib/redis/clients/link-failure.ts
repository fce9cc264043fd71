/** Why a connection failed. */
export interface LinkFailure {
  /** What Redis, or the system, calls it, such as `WRONGPASS` or `ECONNREFUSED`; absent if it has no name. */
  readonly reason: string | undefined;
  /** What the client says of it: one line of bounded length, without a secret. */
  readonly text: string;
}

/** What errors of clients have. */
interface ClientError {
  readonly message?: unknown;
  readonly code?: unknown;
  /** Why the last node of a cluster failed, by `ioredis`. */
  readonly lastNodeError?: unknown;
  /** Why each address of a name failed, by Node. */
  readonly errors?: unknown;
}

const LONGEST_TEXT = 200;

/** After these words, clients and Redis quote commands with their values, which may include a password. */
const COMMAND = / script: |, on @|,? with args beginning with|[\r\n]/;

/** Passwords in URLs may contain any sign. */
const CREDENTIALS = /\/\/\S*@/g;

const CODE = /^[A-Z][A-Z\d_]{2,}$/;
const FIRST_WORD = /^[A-Z]{3,}(?=\s)/;

/** What Redis says of a command that a script may not run. Before release 7, it does not begin with the name. */
const WITHOUT_RIGHT = /\bNOPERM\b|can't run this command/;

/** What Redis says to a user whom it does not know. Clients of Sentinel quote it at the end. */
const LOGIN_REFUSALS = ['WRONGPASS', 'NOAUTH'];
const LOGIN_REFUSED = new RegExp(String.raw`\b(?:${LOGIN_REFUSALS.join('|')})\b`);

/** What a user is refused for, whom Redis does not know or who lacks a right. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([...LOGIN_REFUSALS, 'NOPERM']);

/** Tells by the reason of a failure whether Redis refuses the user: who is refused now is also refused later. */
export function isRefusal(reason: string | undefined): boolean {
  return REFUSALS.has(reason);
}

/** Cuts what a client, or Redis, says down to the reason. */
export function cutReason(said: string): string {
  const [reason = ''] = said.split(COMMAND, 1);
  return reason.replace(CREDENTIALS, '//[hidden]@').slice(0, LONGEST_TEXT);
}

/** Reads the error of a connection; nothing if it says nothing. */
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
