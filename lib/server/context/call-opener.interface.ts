import type { Params } from '../../core/protocol/json-rpc.js';

/** A request, as far as it tells what is called. */
export interface OpenableCall {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** Finds out which call is meant by one that another tool passes on. */
export interface CallOpener {
  /** Gives the call that is meant, or the same request if it is none of these. */
  open<Call extends OpenableCall>(call: Call): Call;
}
