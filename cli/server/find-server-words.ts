import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';

const LONGEST_WORDS = 300;

/** Returns the status of an answer that the official client could not use, and what the error of JSON-RPC in it says. */
export function findServerWords(error: Error): { status: number; words: string } | undefined {
  const { data } = error as { readonly data?: unknown };
  const { status, text } = isObject(data) ? data : {};
  if (typeof status !== 'number' || typeof text !== 'string') return undefined;
  const words = readMessage(text);
  return words === undefined ? undefined : { status, words: makeLine(words).slice(0, LONGEST_WORDS) };
}

function readMessage(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const error = isObject(answer) ? answer['error'] : undefined;
    return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  } catch {
    return undefined;
  }
}
