import type { EventStream } from './event-stream.js';

/** The lists of which a stream has told so far that they changed, in order. */
export function listChanges({ messages }: Pick<EventStream, 'messages'>): readonly string[] {
  return messages.flatMap((message) => {
    const [, list] = /^notifications\/(\w+)\/list_changed$/.exec(String(message.method)) ?? [];
    return list === undefined ? [] : [list];
  });
}
