import { isObject, type Params } from '../../core/protocol/json-rpc.js';

/** What is known of something that was thrown. */
export interface Described {
  readonly text: string;
  /** Present for an error alone. */
  readonly message?: string;
  readonly stack?: string | undefined;
}

/** Describes what was thrown. Anything can be thrown, also what throws again when it is looked at. */
export function describeFailure(failure: unknown): Described {
  try {
    if (!(failure instanceof Error)) return { text: String(failure) };
    const { message, stack } = failure;
    return { text: message, message, stack };
  } catch {
    return { text: 'something was thrown that cannot be shown' };
  }
}

/** Names a request in the log: what a client sent is quoted, so that it cannot begin a line of its own. */
export function describeRequest({
  method,
  params,
}: {
  readonly method: string;
  readonly params: Params;
}): string {
  const subject = isObject(params) ? (params['name'] ?? params['uri']) : undefined;
  return typeof subject === 'string' ? `${method} ${JSON.stringify(subject.slice(0, 200))}` : method;
}
