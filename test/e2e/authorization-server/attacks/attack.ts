import { expect } from '@jest/globals';
import type { EndpointAnswer } from '../../../support/authorization/authorization-client.js';
import type { Visit } from '../../../support/authorization/cookie-browser.js';

/** An attack: its name, the document that describes it, and what is sent. */
export type Attack<Sent> = readonly [name: string, source: string, sent: Sent];

export type Values = Readonly<Record<string, string | undefined>>;

/** The lines of a stack, and the files of this repository. */
const INTERNALS = /\n\s+at |node_modules|\/lib\/|\.ts:\d/;

/** Expects a page without a form, a code, a token or internals, in place of a redirect. */
export function expectErrorPage(visit: Visit, status = 400): void {
  expect({ status: visit.status, location: visit.headers.get('location') }).toEqual({
    status,
    location: null,
  });
  const content = readContent(visit);
  expect(content).toContain('role="alert"');
  expect(content).not.toMatch(/<form|<script|(?:access|refresh|id)_token[=:"]|code=/);
  expect(content).not.toMatch(INTERNALS);
  expect(visit.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
}

/** Returns a page without its head, whose style is that of the application. */
export function readContent({ page }: Pick<Visit, 'page'>): string {
  return page.slice(page.indexOf('</head>'));
}

/** Expects an error as JSON, with neither a token nor internals. */
export function expectError(answer: EndpointAnswer, error: string, status = 400): void {
  expect({ status: answer.status, error: answer.body['error'] }).toEqual({ status, error });
  expectNoSecret(answer);
}

/** Expects that a response has no code, no token and no secret. */
export function expectNoSecret({ body }: EndpointAnswer): void {
  const text = JSON.stringify(body);
  expect(text).not.toMatch(/"(?:access|refresh|id)_token":|client_secret":|"code":"/);
  expect(text).not.toMatch(INTERNALS);
}
