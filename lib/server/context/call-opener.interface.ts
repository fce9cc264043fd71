import type { Params } from '../../core/protocol/json-rpc.js';

/** A request, as far as it tells what is called. */
export interface OpenableCall {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** Finds the call that another tool passes on. */
export interface CallOpener {
  /** Returns the call that is meant, or the same request if it is none of these. */
  rewrite<Call extends OpenableCall>(call: Call): Call;
}
