import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { openBrowser } from '../../lib/client/authorization/index.js';
import type { Terminal } from '../command.interface.js';
import type { Keyboard } from '../line-keyboard.js';
import { makeLine, makeVisible } from '../visible-text.js';
import { promptForm } from './form/prompt-form.js';

/** Handles elicitation requests at the terminal, one at a time (MCP client/elicitation). */
export class Elicitor {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly terminal: Terminal,
    private readonly keyboard: Keyboard,
  ) {}

  /** The client's elicitation capability. */
  static readonly capabilities = { form: {}, url: {} } as const;

  /** Registers a client's handler. */
  attach(client: Client): void {
    client.setRequestHandler('elicitation/create', ({ params }) => this.answer(params));
  }

  /** Waits for earlier requests, because two prompts would share a line. */
  async answer(params: ElicitRequest['params']): Promise<ElicitResult> {
    const turn = this.#last.then(() => this.#ask(params));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #ask(params: ElicitRequest['params']): Promise<ElicitResult> {
    if ('url' in params) return this.#askToOpen(params.message, params.url);
    const tell = (line: string) => this.terminal.complain(line);
    const outcome = await promptForm(params, { tell, ask: (question) => this.keyboard.ask(question) });
    return outcome as ElicitResult;
  }

  /** The server learns only about the consent, not about what the user does on the page. */
  async #askToOpen(message: string, text: string): Promise<ElicitResult> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    this.terminal.complain(`The server asks: ${makeVisible(message)}`);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      this.terminal.complain(
        'The page to open does not have an "https" or "http" URL, so the request is declined',
      );
      return { action: 'decline' };
    }
    this.terminal.complain(`  It requests that you open this page on ${makeLine(url.host)}:\n  ${url.href}`);
    const line = await this.keyboard.ask('  Open it? [y/N] ');
    if (line === undefined) return { action: 'cancel' };
    if (!/^y(es)?$/i.test(line.trim())) return { action: 'decline' };
    this.#open(url.href);
    return { action: 'accept' };
  }

  /** The command that opens a browser may block until the browser is closed, so the call does not wait for it. */
  #open(url: string): void {
    openBrowser(url).catch(() =>
      this.terminal.complain('No browser could be opened: open the page manually'),
    );
  }
}

/** Returns whether a task's input request is an elicitation. */
export function isElicitation(request: unknown): request is ElicitRequest {
  return isObject(request) && request['method'] === 'elicitation/create' && isObject(request['params']);
}
