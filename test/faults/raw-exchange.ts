import { connect } from 'node:net';
import { within } from '../support/until.js';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

interface RawExchange {
  readonly bytes: Buffer;
  /** Whether the sender goes away once it has sent all. */
  readonly isEnded: boolean;
  /** Whether answers have no body, whatever their heads say. */
  readonly isHead: boolean;
}

/** Sends bytes on a connection of their own, and gives all answers; event streams are left as soon as they begin. */
export async function exchangeBytes(
  port: number,
  { bytes, isEnded, isHead }: RawExchange,
): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    // Whoever sends more than is read is told so by a reset.
    socket.on('error', () => resolve());
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (/^content-type: text\/event-stream/im.test(received)) resolve();
    });
  });
  if (isEnded) socket.end(bytes);
  else socket.write(bytes);
  await within(over, `the end of ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}`, 20_000);
  socket.destroy();
  return parseAnswers(received, isHead);
}

function parseAnswers(text: string, isHead: boolean): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const { body, length } =
      isHead || status < 200 ? { body: '', length: 0 } : readBody(head, rest.slice(end + 4));
    if (status >= 200 || Number.isNaN(status)) answers.push({ status, head, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function readBody(head: string, rest: string): { readonly body: string; readonly length: number } {
  const stated = /^content-length: (\d+)/im.exec(head)?.[1];
  if (stated !== undefined) return { body: rest.slice(0, Number(stated)), length: Number(stated) };
  const isStream = /^content-type: text\/event-stream/im.test(head);
  if (isStream || !/^transfer-encoding: chunked/im.test(head)) return { body: rest, length: rest.length };
  const length = rest.indexOf('0\r\n\r\n') + 5;
  return { body: rest.slice(0, length).replace(/^[\da-f]+\r\n|\r\n$/gim, ''), length };
}
