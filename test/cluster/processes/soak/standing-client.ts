import { PROTOCOL_VERSIONS } from '../../../bench/wire.js';
import type { RawRequest } from '../../../support/clients/raw-http.js';
import { KeptResponse, type Choose } from './kept-response.js';

const NUMBER = /"n":(\d+)/;
const LOG_ENTRY = '"notifications/message"';

/** A client that keeps the standing stream of its session: it comes back with the id of the last event. */
export class StandingClient extends KeptResponse {
  /** The numbers that it was told, in the order in which they came. */
  readonly numbers: number[] = [];
  /** How often it was told that messages were lost. */
  notices = 0;
  #lastEventId: string | undefined;

  constructor(
    private readonly sessionId: string,
    choose: Choose,
  ) {
    super(choose);
  }

  get isOpen(): boolean {
    return this.#lastEventId !== undefined;
  }

  protected buildRequest(): RawRequest {
    const lastEventId = this.#lastEventId;
    return {
      headers: {
        accept: 'text/event-stream',
        'mcp-session-id': this.sessionId,
        'mcp-protocol-version': PROTOCOL_VERSIONS.handshake,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    };
  }

  protected take(data: string, id: string | undefined): boolean {
    if (id !== undefined) this.#lastEventId = id;
    if (!data.includes(LOG_ENTRY)) return false;
    const n = NUMBER.exec(data)?.[1];
    if (n === undefined) this.notices += 1;
    else this.numbers.push(Number(n));
    return true;
  }
}
