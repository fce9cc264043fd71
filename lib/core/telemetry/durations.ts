import type { Histogram } from '@opentelemetry/api';
import type { GuardedMeter } from './guarded-meter.js';

/** Records values of one instrument. */
export type Recorder = Pick<Histogram, 'record'>;

/** The side that records. */
export type Side = 'client' | 'server';

/**
 * The boundaries of all durations, in seconds.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Metrics"
 */
export const DURATION_BOUNDARIES: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

const OPERATIONS = {
  client:
    'The duration of the MCP request or notification as observed on the sender from the time it was sent until the response or ack is received.',
  server:
    'MCP request or notification duration as observed on the receiver from the time it was received until the result or ack is sent.',
} as const;

/** Creates a histogram of seconds. */
export function createDurations(meter: GuardedMeter, name: string, description: string): Recorder {
  const advice = { explicitBucketBoundaries: [...DURATION_BOUNDARIES] };
  return meter.createHistogram(name, { unit: 's', description, advice });
}

export function createOperationDurations(meter: GuardedMeter, side: Side): Recorder {
  return createDurations(meter, `mcp.${side}.operation.duration`, OPERATIONS[side]);
}

export function createSessionDurations(meter: GuardedMeter, side: Side): Recorder {
  const description = `The duration of the MCP session as observed on the MCP ${side}.`;
  return createDurations(meter, `mcp.${side}.session.duration`, description);
}
