/** The wire of messages between processes. What does not have this version is of another release of this package. */
const VERSION = 1;

/** A message that one process sends to another. */
export type InboxMessage =
  | { readonly kind: 'tell'; readonly from: string; readonly topic: string; readonly body: object }
  | {
      readonly kind: 'ask';
      readonly from: string;
      readonly topic: string;
      readonly body: object;
      readonly id: number;
    }
  | {
      readonly kind: 'reply';
      readonly from: string;
      readonly id: number;
      readonly reply?: unknown;
      readonly failure?: string;
    };

export function formatMessage(message: InboxMessage): string {
  return JSON.stringify({ v: VERSION, ...message });
}

/** Reads a message; nothing if it is none, or one of a release that this one does not understand. */
export function parseMessage(text: string): InboxMessage | undefined {
  try {
    const message = JSON.parse(text) as (InboxMessage & { readonly v: number }) | null;
    return message?.v === VERSION ? message : undefined;
  } catch {
    return undefined;
  }
}
