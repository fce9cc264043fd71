import type { ArgumentsHost } from '@nestjs/common';

/** What both adapters' responses have, as far as these tests go. */
export interface Response {
  statusCode: number;
  readonly headersSent: boolean;
  readonly locals: object;
  readonly raw: Response;
  status(code: number): this;
  code(code: number): this;
  header(name: string, value: string): this;
  setHeader(name: string, value: string | readonly string[]): this;
  getHeader(name: string): unknown;
  removeHeader(name: string): this;
  json(body: object): this;
  send(body?: unknown): this;
  end(text?: string): this;
  redirect(url: string, code?: number): this;
  once(event: string, listener: () => void): this;
}

/** Gives what an enhancer finds as the HTTP response. */
export const getResponse = (host: ArgumentsHost): Response => host.switchToHttp().getResponse<Response>();
