import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

import { readSettings, reportReady } from './serve.js';

/** Answers a request whose body has been read. */
export type Handle = (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>;

/** What is used of an application of Express. */
type ExpressApplication = RequestListener & {
  all(path: string, handle: (request: ParsedRequest, response: ServerResponse) => void): unknown;
};

type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** Serves as the SDK's documentation shows, on its own Express application; the variant "alone" is without Express. */
export function serveSdk(handle: Handle, createApplication: () => ExpressApplication): void {
  const isAlone = readSettings().variant === 'alone';
  const server = createServer(isAlone ? readBefore(handle) : buildApplication(handle, createApplication()));
  server.listen(0, '127.0.0.1', () => reportReady(server));
}

function buildApplication(handle: Handle, application: ExpressApplication): RequestListener {
  application.all('/mcp', (request, response) => void handle(request, response, request.body));
  return application;
}

/** Reads a body the cheapest way there is. */
function readBefore(handle: Handle): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void handle(request, response, parse(chunks)));
  };
}

function parse(chunks: Buffer[]): unknown {
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
