import type { ClientView } from '../context/mcp-context.interface.js';

/** What a client said of itself, kept as text: as objects it would take twenty times as much. */
export class KeptClient {
  readonly text: string;
  /** There as long as somebody looks, and until the next collection of garbage. */
  #parsed: WeakRef<ClientView> | undefined;

  constructor({ info, capabilities }: ClientView) {
    this.text = JSON.stringify({ info, capabilities });
  }

  get view(): ClientView {
    return this.#parsed?.deref() ?? this.#parse();
  }

  #parse(): ClientView {
    const view = JSON.parse(this.text) as ClientView;
    this.#parsed = new WeakRef(view);
    return view;
  }
}
