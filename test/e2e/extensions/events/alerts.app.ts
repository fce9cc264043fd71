import { Injectable } from '@nestjs/common';
import { NEVER, Subject, type Observable } from 'rxjs';
import { EventSource, RequireScope, type EventsOptions } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../../support/applications/boot.js';
import type { Call } from '../../../support/clients/call.js';
import type { EventStream } from '../../../support/clients/event-stream.js';
import type { JsonObject, Message } from '../../../support/clients/message.js';
import { bootDesk, type Caller, type DeskParts } from '../../../support/applications/protected-desk.js';

interface Alert {
  readonly severity: 'high' | 'low';
  readonly text: string;
}

const Severity = z.enum(['high', 'low']);

/** Sources of every kind, and the Subjects that feed them. */
@Injectable()
export class Alerts {
  readonly alerts = new Subject<unknown>();
  readonly keys = new Subject<object>();
  readonly notes = new Subject<object>();

  /** Fires one after the other. */
  fire(...texts: readonly string[]): void {
    for (const text of texts) this.alerts.next({ severity: 'high', text });
  }

  @EventSource<Alert>({
    name: 'alert.fired',
    title: 'Alerts',
    description: 'Fires when something is wrong',
    inputSchema: z.object({ severity: Severity.optional() }),
    payloadSchema: z.object({ severity: Severity, text: z.string() }),
    filter: ({ severity }, { arguments: wanted }) => (wanted['severity'] ?? severity) === severity,
  })
  fired(): Observable<unknown> {
    return this.alerts;
  }

  @EventSource({ name: 'key.pressed', cursorless: true })
  pressed(): Observable<object> {
    return this.keys;
  }

  /** Each is for its owner alone: a caller, or who has a scope. */
  @EventSource<{ owner: string }>({
    name: 'note.taken',
    eventId: ({ owner }) => `note of ${owner}`,
    filter: ({ owner }, { claims }) => owner === claims?.sub || claims?.scopes.includes(owner) === true,
  })
  noted(): Observable<object> {
    return this.notes;
  }
}

/** A source for some: an open server cannot have it. */
@Injectable()
class Audit {
  @EventSource({ name: 'audit.entry' })
  @RequireScope('desk:write')
  audited(): Observable<object> {
    return NEVER;
  }
}

/** An application with event sources, open where nothing else is said. */
export interface AlertsApp extends RunningApp {
  readonly alerts: Alerts;
}

interface AlertsParts extends Omit<DeskParts, 'auth'> {
  readonly adapter?: Parameters<typeof bootDesk>[0];
  readonly events?: true | EventsOptions;
  readonly auth?: DeskParts['auth'] | 'none';
}

/** Starts the application. */
export async function bootAlerts(parts: AlertsParts = {}): Promise<AlertsApp> {
  const { adapter = 'express', events = true, auth, options, providers = [], ...rest } = parts;
  const desk = await bootDesk(adapter, {
    ...rest,
    ...(auth !== 'none' && auth !== undefined && { auth }),
    options: { events, ...options, ...(auth === 'none' && { auth: undefined }) } as NonNullable<
      DeskParts['options']
    >,
    providers: [Alerts, ...(auth === 'none' ? [] : [Audit]), ...providers],
  });
  return { ...desk, alerts: desk.app.get(Alerts) };
}

/** An open stream, and where it began. */
export interface OpenedStream {
  readonly call: Call;
  readonly stream: EventStream;
  readonly active: JsonObject;
}

/** Opens a stream and waits until the server has confirmed it. */
export async function openEvents(call: Caller, params: JsonObject): Promise<OpenedStream> {
  const started = call('events/stream', params);
  const stream = await started.stream();
  const { params: active = {} } = await stream.nextNotification('notifications/events/active');
  return { call: started, stream, active };
}

/** Waits for the next event of a stream, and gives what it says. */
export async function nextEvent(stream: EventStream): Promise<JsonObject> {
  const { params = {} } = await stream.nextNotification('notifications/events/event');
  return params;
}

/** Gives the payloads' texts of all events that a stream, or a poll, gave. */
export function textsOf(events: readonly unknown[]): readonly unknown[] {
  return events.map((event) => ((event as JsonObject)['data'] as JsonObject)['text']);
}

/** Gives the events among some messages. */
export function eventsOf(messages: readonly Message[]): readonly JsonObject[] {
  return messages.flatMap(({ method, params }) =>
    method === 'notifications/events/event' && params !== undefined ? [params] : [],
  );
}
