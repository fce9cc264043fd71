/** What both clients of the demo read of a JSON-RPC message. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Gives the messages of an answer as they come: one, or those of an event stream. */
export async function* readMessages(response: Response): AsyncGenerator<Message> {
  const { headers, body } = response;
  if (!response.ok || body === null) throw new Error(`The server answered with ${response.status}`);
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    yield (await response.json()) as Message;
    return;
  }
  for await (const text of readEvents(body)) yield JSON.parse(text) as Message;
}

/** Gives the text of each event; comments and events without one are passed over. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith('data:'));
      const text = lines.map((line) => line.slice('data:'.length)).join('\n');
      if (text.trim() !== '') yield text;
    }
  }
}

/** Gives what a request came to. */
export async function findResult<Result>(messages: AsyncIterable<Message>): Promise<Result> {
  for await (const { result, error } of messages) {
    if (error !== undefined) throw new Error(`${error.message} (${error.code})`);
    if (result !== undefined) return result as Result;
  }
  throw new Error('The server ended the stream without an answer');
}
