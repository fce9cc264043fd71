import type { InputRequesters, InputRequestContext } from '../context/request-parts.interface.js';
import type { InputRequester } from '../context/input-request.interface.js';
import { ToolError } from '../context/tool-errors.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import { isWithoutSession } from '../sessions/session-opening.interface.js';
import { Session } from '../sessions/session.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { QUESTION_BUILDERS } from './questions/question-builders.js';
import type { RequestStateCodec } from './request-state.js';
import { RoundAsker } from './round-asker.js';
import { SessionAsker } from './session-asker.js';

/** Methods whose call may end with a question (MCP 2026-07-28 basic/patterns/mrtr). */
const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Gives each call the way of asking that its revision has. */
export class AskerFactory implements InputRequesters {
  readonly questions = QUESTION_BUILDERS;

  constructor(
    private readonly states: RequestStateCodec,
    private readonly settings: ServerSettings,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {}

  takesRounds(method: string): boolean {
    return ASKING_METHODS.has(method);
  }

  create(context: InputRequestContext): InputRequester {
    if (context.revision.kind === 'perRequest') {
      if (this.takesRounds(context.method)) return new RoundAsker(context, this.states);
      throw new ToolError(`"${context.method}" cannot ask the client anything`);
    }
    if (context.peer instanceof Session) {
      const { isShared, member } = this.bus;
      const { timeoutMs } = this.settings.inputRequests;
      return new SessionAsker(context, context.peer, timeoutMs, isShared ? member : undefined);
    }
    const isLost = isWithoutSession(context.peer);
    throw new ToolError(
      isLost
        ? 'This server keeps no sessions, so the client cannot be asked: use a client of revision 2026-07-28'
        : 'There is no session: the client cannot be asked',
    );
  }
}
