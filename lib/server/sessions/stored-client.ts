import type { ClientView } from '../context/mcp-context.interface.js';

/** A client's declaration, stored as JSON because objects would need twenty times the memory. */
export class StoredClient {
  /** Lives for as long as it is referenced, and until the next garbage collection. */
  #parsed: WeakRef<ClientView> | undefined;

  private constructor(readonly text: string) {}

  /** Stores a client's declaration. Consecutive clients often declare the same values, and then share the string. */
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
