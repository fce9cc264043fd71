import type { IncomingMessage } from 'node:http';

/** Takes an event: its data, and its id if it has one. */
export type TakeEvent = (data: string, id: string | undefined) => void;

/** Reads events to the end of a stream and keeps none of them: thousands of streams hear thousands of messages. */
export async function readEvents(response: IncomingMessage, take: TakeEvent): Promise<void> {
  let rest = '';
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const events = `${rest}${chunk}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) takeEvent(event, take);
  });
  await new Promise((resolve) => response.once('close', resolve));
}

/** An event that was cut off is none, nor is its id one to come back to. */
function takeEvent(event: string, take: TakeEvent): void {
  const lines = event.split('\n');
  const find = (field: string) => lines.find((line) => line.startsWith(field))?.slice(field.length);
  take(find('data: ') ?? '', find('id: '));
}
