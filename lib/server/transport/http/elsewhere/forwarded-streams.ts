import type { OnApplicationShutdown } from '@nestjs/common';
import type { MemoryBudget } from '../../../memory/memory-budget.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { findForwardedSession, readHolder } from '../../../sessions/forwarded-sender.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import { holdsScopes } from '../../../sessions/streams/scope-holder.interface.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import {
  EVENTS_TAKEN,
  OPEN_STREAM,
  REPORT_READINGS,
  STREAM_EVENTS,
  STREAM_LEFT,
  type ReadingsReport,
  type ReadingsVerdict,
  type StreamAnswer,
  type StreamRequest,
} from './call-stream-messages.js';
import { Forward } from './forward.js';

/** A reader that is not heard of for so many milliseconds is gone with its process. */
const SILENCE_MS = 30_000;

/** Forwards the streams of this process's calls to clients that came back to other processes. */
export class ForwardedStreams implements OnApplicationShutdown {
  readonly #forwards = new Map<string, Forward>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly memory: MemoryBudget,
    private readonly settings: Pick<ServerSettings, 'streams'>,
  ) {
    if (!bus.isShared) return;
    bus.respond(OPEN_STREAM, (request) => this.#open(request));
    bus.respond(REPORT_READINGS, (report) => this.#judge(report));
    bus.on(EVENTS_TAKEN, ({ reading, count }) => this.#forwards.get(reading)?.take(count));
    bus.on(STREAM_LEFT, ({ reading }) => this.#forwards.get(reading)?.end());
  }

  onApplicationShutdown(): void {
    clearInterval(this.#sweeper);
    for (const forward of this.#forwards.values()) forward.end();
  }

  #open(request: StreamRequest): StreamAnswer {
    const { sender, lastEventId, reading } = request;
    const session = findForwardedSession(this.sessions, sender);
    const { scopes: required = [], showsLife = false } = session?.streams.find(lastEventId) ?? {};
    // What is asked for again is on its way: the answer to it got lost.
    if (this.#forwards.has(reading)) return { showsLife };
    if (session === undefined) return { failure: 'unknown' };
    const { streams } = session;
    const holder = readHolder(sender);
    if (!holdsScopes(holder, required)) return { required };
    const events$ = streams.resume(lastEventId, holder);
    if (typeof events$ === 'string') return { failure: events$ };
    const forward = new Forward({
      reading,
      formatId: (event) => streams.formatId(event),
      tell: (events) => this.bus.send(STREAM_EVENTS, events, request.member),
      memory: this.memory.hold({ identity: session.identity, address: session.address }, 0, true),
      mostWaiting: this.settings.streams.maxQueuedBytes,
      onEnd: () => void this.#forwards.delete(reading),
    });
    this.#forwards.set(reading, forward);
    this.#sweeper ??= setInterval(() => this.#sweep(), SILENCE_MS).unref();
    forward.start(events$);
    return { showsLife };
  }

  #judge({ given }: ReadingsReport): ReadingsVerdict {
    const lost = Object.entries(given).filter(([reading, count]) => {
      const forward = this.#forwards.get(reading);
      if (forward === undefined) return true;
      if (!forward.hasLost(count)) return false;
      forward.end();
      return true;
    });
    return { lost: lost.map(([reading]) => reading) };
  }

  #sweep(): void {
    const deadline = performance.now() - SILENCE_MS;
    for (const forward of this.#forwards.values()) if (forward.heardAt < deadline) forward.end();
  }
}
