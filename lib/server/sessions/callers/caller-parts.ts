import type { OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Logger } from '../../../core/logger/logger.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import { CALLER_ENDED, END_CALLER, sumEnded, type CallerEnd, type CallerPart } from './caller-end.js';
import type { EndedOfCaller } from './mcp-sessions.interface.js';
import { logError } from '../../../core/log/describe-failure.js';

/**
 * The maximum number of remembered requests and their results. Each request arrives twice: in the log and as a query.
 */
const MOST_REMEMBERED = 256;

/**
 * Makes every part of this process end what belongs to a caller, regardless of which process received the
 * application's request.
 */
export class CallerParts implements OnModuleInit {
  readonly #logger = new Logger('McpSessions');
  readonly #parts: CallerPart[] = [];
  readonly #ended = new LRUCache<string, Promise<EndedOfCaller>>({ max: MOST_REMEMBERED });

  constructor(private readonly bus: ClusterBus) {}

  onModuleInit(): void {
    this.bus.on(CALLER_ENDED, (end) => void this.endOf(end));
    this.bus.respond(END_CALLER, (end) => this.endOf(end));
  }

  /** Adds a part. Parts end in the order in which they were added. */
  add(part: CallerPart): void {
    this.#parts.push(part);
  }

  /** Ends what belongs to a caller in this process, immediately and only once per request. */
  endOf(end: CallerEnd): Promise<EndedOfCaller> {
    const known = this.#ended.get(end.id);
    if (known !== undefined) return known;
    const ending = this.#endAll(end);
    this.#ended.set(end.id, ending);
    return ending;
  }

  /** Begins to end every part before the first await. */
  async #endAll(end: CallerEnd): Promise<EndedOfCaller> {
    return sumEnded(await Promise.all(this.#parts.map((part) => this.#endPart(part, end))));
  }

  /** A failure in one part does not prevent the others from ending. */
  async #endPart(part: CallerPart, end: CallerEnd): Promise<Partial<EndedOfCaller>> {
    try {
      return await part.endOf(end);
    } catch (error) {
      logError(this.#logger, error);
      return {};
    }
  }
}
