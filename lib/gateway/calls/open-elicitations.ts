import type { InputRequest, McpContext, McpNotifier } from '../../index.js';

/** Longer ids are not remembered, because a server could fill the memory with them. */
const LONGEST_ID = 256;

/** The pages that servers ask users to open, and the sessions whose clients wait for their completion. */
export class OpenElicitations {
  /** The ids of sessions, keyed by the ids of elicitations. */
  readonly #sessions = new Map<string, string>();

  constructor(
    private readonly maximum: number,
    private readonly notifier: Pick<McpNotifier, 'elicitationCompleted'>,
  ) {}

  /** Remembers that a client is asked to open a page. Without a session, clients are not notified of its completion. */
  note(elicitation: InputRequest['params'], context: Pick<McpContext, 'session'> | undefined): void {
    const id = elicitation?.['elicitationId'];
    const session = context?.session;
    if (typeof id !== 'string' || id.length > LONGEST_ID || session === undefined) return;
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= this.maximum && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(id, session.id);
  }

  /** Notifies the client that the user has finished. */
  complete({ elicitationId: id }: { readonly [name: string]: unknown }): void {
    const session = this.#sessions.get(String(id));
    if (session === undefined || !this.#sessions.delete(String(id))) return;
    this.notifier.elicitationCompleted(session, String(id));
  }
}
