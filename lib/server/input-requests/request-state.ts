import { createHash } from 'node:crypto';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { parseMeasuredJson } from '../../core/protocol/measured-json.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { sortProperties } from '../../core/protocol/canonical-json.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import type { EndedCallers } from '../sessions/callers/ended-callers.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { selectStructureBounds } from '../settings/limit-options.js';

/** A call's state between two rounds. */
export interface RoundState {
  /**
   * The methods of the input requests that end the round, under the same keys, if they are traced or audited.
   * @default none
   */
  readonly asked?: { readonly [key: string]: string } | undefined;
  /** Responses from earlier rounds, under the input requests' keys. */
  readonly answers: { readonly [key: string]: unknown };
  /** The `requestState` from a handler that returned `input_required` itself. */
  readonly handlerState?: string | undefined;
  /** The number of rounds so far, including this one. @default none */
  readonly rounds?: number | undefined;
  /** The number of invalid responses to each input request. @default none */
  readonly tries?: { readonly [key: string]: number } | undefined;
}

/** The state that a retried call sends. */
export interface CarriedState extends RoundState {
  /** When the previous round ended, in milliseconds since the epoch. Absent in the first round. */
  readonly endedAt?: number;
}

interface SealedState extends RoundState {
  /** The state's owner. */
  readonly binding: string;
  /** When it expires, in milliseconds since the epoch. */
  readonly expires: number;
}

/** Parameters that differ between a call's rounds. */
const ROUND_PARAMETERS: ReadonlySet<string> = new Set(['inputResponses', 'requestState', '_meta']);

/**
 * Formats and parses `requestState`, which is signed, expires, and is bound to the caller, the method and its
 * parameters.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export class RequestStateCodec {
  constructor(
    private readonly sealer: Sealer,
    private readonly settings: ServerSettings,
    private readonly ended?: EndedCallers,
  ) {}

  /**
   * Formats the state that the client sends with its retry.
   *
   * @throws {McpError} -32602 if the call or a response is nested too deeply to be serialized
   */
  format(context: InputRequestContext, { answers, asked, handlerState, rounds, tries }: RoundState): string {
    const sealed: SealedState = {
      answers,
      ...(asked !== undefined && { asked }),
      ...(handlerState !== undefined && { handlerState }),
      ...(rounds !== undefined && { rounds }),
      ...(tries !== undefined && { tries }),
      binding: this.#bind(context, context.peer.identity),
      expires: Date.now() + this.settings.inputRequests.stateLifetimeMs,
    };
    return refuseEndlessNesting(() => this.sealer.seal('request-state', sealed));
  }

  /**
   * Parses a retried call's state. The first round has none.
   *
   * @throws {McpError} -32602 if it is forged, expired, or from another call; -32600 if it contains too many nested
   * values
   */
  parse(context: InputRequestContext): CarriedState {
    const { requestState } = context.params;
    if (requestState === undefined) return { answers: {} };
    const state = typeof requestState === 'string' && this.#open(requestState);
    if (!isSealedState(state) || !this.#belongs(state, context)) {
      throw McpError.invalidParams(
        '"requestState" was issued for a different call, or by a process with a different "secret": repeat the call without it',
      );
    }
    if (state.expires < Date.now() || this.#isEnded(state, context)) {
      throw McpError.invalidParams('"requestState" has expired: repeat the call without it');
    }
    return { ...state, endedAt: this.#findBeginning(state) };
  }

  /** The responses from all rounds together may contain as many nested values as one message. */
  #open(requestState: string): unknown {
    return this.sealer.open(
      'request-state',
      requestState,
      (json) => parseMeasuredJson(json, selectStructureBounds(this.settings)).value,
    );
  }

  /** Returns whether the application has logged out the caller since the previous round, which invalidates the state. */
  #isEnded(state: SealedState, { peer: { identity }, auth }: InputRequestContext): boolean {
    const begun = this.#findBeginning(state);
    return this.ended?.isKnownEnded({ identity, claims: auth?.claims }, begun) === true;
  }

  #findBeginning({ expires }: SealedState): number {
    return expires - this.settings.inputRequests.stateLifetimeMs;
  }

  /** A call that started without a token continues after the login. It then belongs to the token's caller. */
  #belongs({ binding }: SealedState, context: InputRequestContext): boolean {
    const { identity } = context.peer;
    if (binding === this.#bind(context, identity)) return true;
    return identity !== undefined && binding === this.#bind(context, undefined);
  }

  /** Servers may share a secret, so the binding includes this server's path. */
  #bind({ method, params }: InputRequestContext, identity: string | undefined): string {
    const salient = refuseEndlessNesting(() =>
      JSON.stringify([
        this.settings.mcpPath,
        method,
        identity ?? null,
        // A client may serialize the same object's properties in a different order.
        sortProperties(selectSalient(params)),
      ]),
    );
    return createHash('sha256').update(salient).digest('base64url');
  }
}

/** Serializing a value that is nested too deeply overflows the stack, which is the client's error. */
function refuseEndlessNesting(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw McpError.invalidParams(
      'the call is nested too deeply for a call with input requests: send flatter arguments and responses',
    );
  }
}

function isSealedState(value: unknown): value is SealedState {
  return isObject(value) && typeof value['binding'] === 'string';
}

function selectSalient(params: Params): object {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !ROUND_PARAMETERS.has(name)));
}
