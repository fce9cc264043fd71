/** The parts of the id of a request to the client. */
interface InputRequestName {
  /** The process that sends the request; absent if the server is a single process. */
  readonly member?: string | undefined;
  /** Distinguishes these requests from requests that other processes sent in the same session. */
  readonly prefix: string;
  readonly count: number;
}

const PREFIX_CHARACTERS = 8;

const SHARED_ID = new RegExp(`^([0-9A-Za-z]{1,32})-[\\w-]{${PREFIX_CHARACTERS}}-\\d{1,15}$`);

/**
 * Formats the id of a request to the client. On a server with several processes, it names the process that awaits the
 * response.
 */
export function formatInputRequestId({ member, prefix, count }: InputRequestName): string {
  return member === undefined ? `${prefix}-${count}` : `${member}-${prefix}-${count}`;
}

/** Finds the process that awaits the response to a request. Returns `undefined` if the id is invalid. */
export function findInputRequestOwner(id: unknown): string | undefined {
  return typeof id === 'string' ? SHARED_ID.exec(id)?.[1] : undefined;
}
