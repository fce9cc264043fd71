import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { FACTS_ID, type PageFacts } from '../../../../core/explorer/page-contract.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';
import type { Logger } from '../../../../core/logger/logger.js';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { awaitRest } from '../bodies/request-body.js';
import { destroyIfUnread } from '../connections/client-progress.js';
import { preventCaching } from '../replies/response-headers.js';

/** The page's data block for facts about its server. */
const FACTS = new RegExp(`(?<=<script type="application/json" id="${FACTS_ID}">)[^<]*`);

/** The page that the endpoint serves to browsers. Its file is read on first use and cached. */
export class ExplorerPage {
  #document: Promise<PageResponse> | undefined;

  /** @param findFile finds the page's file, if any */
  constructor(
    private readonly facts: PageFacts,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly findFile = findPageFile,
  ) {}

  /** Returns the page, or an error response; never rejects. */
  async find(): Promise<PageResponse> {
    this.#document ??= this.#build();
    const document = await this.#document;
    // The file may appear later, for example if the package is built while the application runs.
    if (document.status !== 200) this.#document = undefined;
    return document;
  }

  async #build(): Promise<PageResponse> {
    try {
      const file = await readPageFile(this.findFile());
      return file === undefined ? createDocument(501, 'text/plain', NOT_INSTALLED) : fill(file, this.facts);
    } catch (error) {
      this.logger.warn(`The explorer page cannot be read: ${describeFailure(error).text}`);
      return createDocument(500, 'text/plain', UNREADABLE);
    }
  }
}

const NOT_INSTALLED =
  'This is an MCP endpoint. Its explorer page, "dist/explorer/page.html" in the package "nestjs-mcp", is not installed with this application: run the application where the package is in "node_modules", or set "explorer: false".\n';

const UNREADABLE = 'This is an MCP endpoint. Its explorer page cannot be read: see the server log.\n';

/** Fills in the facts about the server. */
function fill(file: string, known: PageFacts): PageResponse {
  // The HTML parser ends a data block like a script.
  const facts = JSON.stringify(known).replaceAll('<', String.raw`\u003c`);
  const page = file.replace(FACTS, () => facts);
  const policy = buildPolicy(file, known);
  return createDocument(200, 'text/html', page, { 'Content-Security-Policy': policy });
}

function createDocument(status: number, type: string, text: string, headers: object = {}): PageResponse {
  const body = Buffer.from(text);
  return {
    status,
    body,
    headers: {
      ...HEADERS,
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': body.length,
    },
  };
}

const HEADERS = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/**
 * Allows the page to use its own script and style, and to connect to its server and the authorization servers.
 *
 * @see Content Security Policy Level 3
 */
function buildPolicy(file: string, { issuers }: PageFacts): string {
  const origins = new Set(issuers.map((issuer) => new URL(issuer).origin));
  return [
    "default-src 'none'",
    `script-src ${hashAll(file, /<script>([^]*?)<\/script>/g)}`,
    `style-src ${hashAll(file, /<style>([^]*?)<\/style>/g)}`,
    'img-src data:',
    'media-src data:',
    ["connect-src 'self'", ...origins].join(' '),
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashAll(file: string, pattern: RegExp): string {
  const texts = [...file.matchAll(pattern)].map(([, text = '']) => text);
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/**
 * Finds the page's file next to the installed package. In a bundled application, its location may be unknown, in
 * which case there is no page.
 */
function findPageFile(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('nestjs-mcp/package.json');
    return join(dirname(manifest), 'dist', 'explorer', 'page.html');
  } catch {
    return undefined;
  }
}

/**
 * Reads the page's file, if there is one.
 *
 * @throws {Error} if it cannot be read
 */
async function readPageFile(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A complete HTTP response. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly body: Buffer | string;
}

/**
 * Sends a response unless something else has.
 *
 * @param transferTimeoutMs milliseconds for the client to read the response, and to send an ignored body
 */
export function sendPageResponse(
  response: ServerResponse,
  { status, headers, body }: PageResponse,
  transferTimeoutMs: number,
): void {
  // A guard may have responded.
  if (response.headersSent || response.writableEnded) return;
  preventCaching(response, response.req.method);
  response.writeHead(status, { ...headers }).end(body);
  destroyIfUnread(response, transferTimeoutMs);
  const { req: request } = response;
  if (!request.complete) awaitRest(request, transferTimeoutMs, () => request.destroy());
}
