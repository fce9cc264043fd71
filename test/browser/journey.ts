import type { Server } from 'node:http';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { start } from '../../sample/03-protected/start.js';
import { answerConsent, openConsent, type ConsentPage } from './chromium.js';
import { EndpointLog } from './endpoint-log.js';
import type { Guest } from './guest.js';

/** What a user and a client went through at the sample 03-protected. */
export interface Journey {
  /** What the user was asked, in order. */
  readonly pages: readonly ConsentPage[];
  /** The result of a tool that reads, called after the first consent. */
  readonly read: CallToolResult;
  /** What became of a call to a tool that writes, which the second consent was for. */
  readonly written: PromiseSettledResult<CallToolResult>;
  /** The result of a tool that reads, called after all. */
  readonly readAgain: CallToolResult;
  readonly log: EndpointLog;
  readonly origin: string;
}

export interface Plan {
  readonly browser: Browser;
  readonly createGuest: (url: string) => Guest | Promise<Guest>;
  /** What the user says to writing. @default 'Allow' */
  readonly button?: 'Allow' | 'Deny';
}

/** Lets a user log in to the sample and allow reading, while a client reads, and then tries to write. */
export async function travel({ browser, createGuest, button = 'Allow' }: Plan): Promise<Journey> {
  const page = await browser.newPage();
  const { app, url, stop } = await start({ desk: 0, authorizationServer: 0 });
  const log = new EndpointLog(app.getHttpServer() as Server);
  const guest = await createGuest(url.href);
  try {
    const [login] = await Promise.all([consent({ page, guest, times: 1, name: 'Ada' }), guest.connect()]);
    const read = await guest.call('list_tickets', { status: 'open' });
    const [stepUp, [written]] = await Promise.all([
      consent({ page, guest, times: 2, button }),
      Promise.allSettled([guest.call('close_ticket', { id: 'T-1003', resolution: 'Time zone set right.' })]),
    ]);
    const readAgain = await guest.call('read_ticket', { id: 'T-1003' });
    return { pages: [login, stepUp], read, written, readAgain, log, origin: url.origin };
  } finally {
    await page.context().close();
    await guest.stop();
    await stop();
  }
}

interface Visit {
  readonly page: Page;
  readonly guest: Guest;
  /** How often the guest has sent its user to the authorization server by then. */
  readonly times: number;
  readonly name?: string;
  readonly button?: 'Allow' | 'Deny';
}

async function consent({ page, guest, times, ...answer }: Visit): Promise<ConsentPage> {
  const asked = await openConsent(page, await guest.sentTo(times));
  await answerConsent(page, answer);
  return asked;
}
