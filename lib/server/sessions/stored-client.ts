import type { ClientView } from '../context/mcp-context.interface.js';

/** What a client said of itself, kept as text: as objects it would take twenty times as much. */
export class StoredClient {
  /** There as long as somebody looks, and until the next collection of garbage. */
  #parsed: WeakRef<ClientView> | undefined;

  private constructor(readonly text: string) {}

  /** Keeps what a client said. Clients that come one after the other often say the same: they share the text. */
  static keep({ info, capabilities }: ClientView, latest?: StoredClient): StoredClient {
    const text = JSON.stringify({ info, capabilities });
    return new StoredClient(latest?.text === text ? latest.text : text);
  }

  get view(): ClientView {
    const known = this.#parsed?.deref();
    if (known !== undefined) return known;
    const view = JSON.parse(this.text) as ClientView;
    this.#parsed = new WeakRef(view);
    return view;
  }
}
