/** What a request to the client is called. */
interface InputRequestName {
  /** The process that asks; absent if it is alone. */
  readonly member?: string | undefined;
  /** Tells these from what others asked in the same session. */
  readonly prefix: string;
  readonly count: number;
}

const PREFIX_CHARACTERS = 8;

const SHARED_ID = new RegExp(`^([0-9A-Za-z]{1,32})-[\\w-]{${PREFIX_CHARACTERS}}-\\d{1,15}$`);

/** Formats the id of a request to the client: if the server has other processes, it says which of them waits for the answer. */
export function formatInputRequestId({ member, prefix, count }: InputRequestName): string {
  return member === undefined ? `${prefix}-${count}` : `${member}-${prefix}-${count}`;
}

/** Finds the process that waits for the answer to a request. Returns `undefined` if the id is not valid. */
export function findInputRequestOwner(id: unknown): string | undefined {
  return typeof id === 'string' ? SHARED_ID.exec(id)?.[1] : undefined;
}
