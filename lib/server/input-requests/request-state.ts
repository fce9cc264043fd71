import { createHash } from 'node:crypto';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { parseMeasuredJson } from '../../core/protocol/measured-json.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import type { EndedCallers } from '../sessions/callers/ended-callers.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { selectStructureBounds } from '../settings/limit-options.js';

/** What a call carries from one round to the next. */
export interface RoundState {
  /** The methods of the questions that the round ends with, by key, if anybody follows them. @default none */
  readonly asked?: { readonly [key: string]: string } | undefined;
  /** Answers of earlier rounds, by key. */
  readonly answers: { readonly [key: string]: unknown };
  /** What a handler that answers `input_required` itself wants back. */
  readonly handlerState?: string | undefined;
  /** Rounds that the call has had, this one included. @default none */
  readonly rounds?: number | undefined;
  /** How many answers to a question could not be used, by key. @default none */
  readonly tries?: { readonly [key: string]: number } | undefined;
}

/** The state that a call carries. */
export interface CarriedState extends RoundState {
  /** When the round before ended, in milliseconds of the epoch; absent in the first one. */
  readonly endedAt?: number;
}

interface SealedState extends RoundState {
  /** The owner of the state. */
  readonly binding: string;
  /** When it is no longer taken, in milliseconds of the epoch. */
  readonly expires: number;
}

/** Parameters that differ between the rounds of one call. */
const ROUND_PARAMETERS: ReadonlySet<string> = new Set(['inputResponses', 'requestState', '_meta']);

/**
 * Writes and reads `requestState`: signed, good for a while, and bound to the caller, the method and its parameters.
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
   * Writes the state that a request is to bring back.
   *
   * @throws {McpError} -32602 if the call, or an answer, is nested too deeply to be written
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
   * Reads the state that a request brings back; a first round brings none.
   *
   * @throws {McpError} -32602 if it is not ours, too old, or of another call; -32600 if it has too much structure
   */
  parse(context: InputRequestContext): CarriedState {
    const { requestState } = context.params;
    if (requestState === undefined) return { answers: {} };
    const state = typeof requestState === 'string' && this.#open(requestState);
    if (!isSealedState(state) || !this.#belongs(state, context)) {
      throw McpError.invalidParams(
        '"requestState" was not given for this call, or by a process with another "secret": make the call again without it',
      );
    }
    if (state.expires < Date.now() || this.#isEnded(state, context)) {
      throw McpError.invalidParams('"requestState" has expired: make the call again without it');
    }
    return { ...state, endedAt: this.#findBeginning(state) };
  }

  /** The answers of all rounds add up, so that together they may have no more structure than one message. */
  #open(requestState: string): unknown {
    return this.sealer.open(
      'request-state',
      requestState,
      (json) => parseMeasuredJson(json, selectStructureBounds(this.settings)).value,
    );
  }

  /** If the application has logged out the caller meanwhile, the questions are void. */
  #isEnded(state: SealedState, { peer: { identity }, auth }: InputRequestContext): boolean {
    const begun = this.#findBeginning(state);
    return this.ended?.isKnownEnded({ identity, claims: auth?.claims }, begun) === true;
  }

  #findBeginning({ expires }: SealedState): number {
    return expires - this.settings.inputRequests.stateLifetimeMs;
  }

  /** A call that began without a token continues after the login. It then belongs to the caller of the token. */
  #belongs({ binding }: SealedState, context: InputRequestContext): boolean {
    const { identity } = context.peer;
    if (binding === this.#bind(context, identity)) return true;
    return identity !== undefined && binding === this.#bind(context, undefined);
  }

  /** Servers may share a secret: what one gave is not for another. */
  #bind({ method, params }: InputRequestContext, identity: string | undefined): string {
    const salient = refuseEndlessNesting(() =>
      JSON.stringify([this.settings.mcpPath, method, identity ?? null, sortMembers(selectSalient(params))]),
    );
    return createHash('sha256').update(salient).digest('base64url');
  }
}

/** A value that is nested too deeply overflows the stack when it is written. This is the client's problem. */
function refuseEndlessNesting(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw McpError.invalidParams(
      'the call is nested too deeply for one that asks: send flatter arguments and answers',
    );
  }
}

function isSealedState(value: unknown): value is SealedState {
  return isObject(value) && typeof value['binding'] === 'string';
}

function selectSalient(params: Params): object {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !ROUND_PARAMETERS.has(name)));
}

/** A client may write the members of the same object in another order. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
