import { HttpException, HttpStatus } from '@nestjs/common';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { isExpected } from '../failures/is-expected.js';
import type { SentAnswer } from './node-response.js';

/**
 * Builds the failure of a call whose exception was answered with a status and a body, as filters of controllers do it.
 *
 * @param exception what was thrown first
 */
export function buildSentFailure({ status, body }: SentAnswer, exception: unknown): unknown {
  // A filter that does not know our errors answers them as it answers all that it does not know.
  if (status >= 500 && isExpected(exception) && !(exception instanceof HttpException)) return exception;
  const parsed = parseBody(body);
  const words = findMessage(parsed) ?? describeUnsaid(status, exception);
  const message = typeof words === 'string' ? words : words.join('\n');
  const failure = new HttpException(isObject(parsed) ? parsed : message, status, { cause: exception });
  // A body without a message has none that Nest would find.
  return Object.assign(failure, { message });
}

/** A body that went out by Node's `end()` is text already. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string' || !/^\s*\{/.test(body)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Finds the words in a body of Nest's form, of RFC 9457, or of what applications write. */
function findMessage(body: unknown): string | readonly unknown[] | undefined {
  if (typeof body === 'string') return body === '' ? undefined : body;
  if (!isObject(body)) return undefined;
  const { message, error, detail, title } = body;
  const candidates = [message, isObject(error) ? error['message'] : undefined, detail, title, error];
  return candidates.find((candidate) => isText(candidate) || isList(candidate)) as ReturnType<
    typeof findMessage
  >;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** A body without words says no more than its status, unless what was thrown is meant for callers. */
function describeUnsaid(status: number, exception: unknown): string {
  if (exception instanceof HttpException) return exception.message;
  const name: string | undefined = HttpStatus[status];
  if (name === undefined) return `Status ${status}`;
  return `${name.charAt(0)}${name.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}
