import { isObject } from '../../core/protocol/json-rpc.js';
import type { CarriedTrace } from './trace-carrier.interface.js';

interface Addressed {
  readonly from: string;
  /** The recipient; absent if the message is for all. */
  readonly to?: string | undefined;
}

interface Question extends Addressed {
  /** The number that its sender gave it: it is taken once. */
  readonly id: number;
  /** Until when it counts, in milliseconds of the epoch, by a clock that all processes share. */
  readonly until: number;
  readonly topic: string;
  readonly body: object;
  /** What the sender did it as part of; absent if that was no span. */
  readonly trace?: CarriedTrace | undefined;
}

/** A message that one process sends to another. */
export type InboxMessage =
  | ({ readonly kind: 'tell' } & Question)
  | ({ readonly kind: 'ask' } & Question)
  | ({
      readonly kind: 'reply';
      readonly id: number;
      readonly reply?: unknown;
      readonly failure?: string;
    } & Addressed);

/** Reads a message. Returns `undefined` if it is none that this release understands. */
export function parseInboxMessage(content: object): InboxMessage | undefined {
  const { kind, from, to, id, until, topic, body, failure, trace } = content as Record<string, unknown>;
  if (typeof from !== 'string' || (to !== undefined && typeof to !== 'string')) return undefined;
  if (typeof id !== 'number') return undefined;
  const isKnown =
    kind === 'reply'
      ? failure === undefined || typeof failure === 'string'
      : (kind === 'tell' || kind === 'ask') &&
        typeof until === 'number' &&
        typeof topic === 'string' &&
        isObject(body) &&
        isTrace(trace);
  return isKnown ? (content as InboxMessage) : undefined;
}

function isTrace(trace: unknown): boolean {
  return (
    trace === undefined || (isObject(trace) && Object.values(trace).every((text) => typeof text === 'string'))
  );
}
