import { Module, type Type } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import type { SoakSettings } from '../server-process.js';
import { SoakBoards } from './soak-boards.js';
import { SoakTools } from './soak-tools.js';

const SECRET = 'a secret for a program that is soaked';

/** Bounds of this size are full early in a run: what they hold is no growth. */
const LOGGED_CHARACTERS = 65_536;
const KEPT_TOKENS = 100;

/** Makes the application of a run. */
export function buildSoakModule(settings: SoakSettings): Type {
  const { issuer, audience, idleTimeoutMs, lifetimeMs, answerMs, taskTtlMs, maxSessions } = settings;
  @Module({
    imports: [
      McpModule.forRoot({
        serverInfo: { name: 'soak', version: '1.0.0' },
        secret: SECRET,
        sse: { path: '/mcp/sse' },
        callTimeoutMs: idleTimeoutMs,
        inputRequests: { timeoutMs: answerMs },
        sessions: {
          idleTimeoutMs,
          lifetimeMs,
          maxSessions,
          maxSessionsPerCaller: maxSessions,
          recover: true,
          eventLogSize: 64,
          eventLogCharacters: LOGGED_CHARACTERS,
        },
        streams: { keepAliveMs: 5000, maxQueuedBytes: LOGGED_CHARACTERS },
        tasks: {
          ttlMs: taskTtlMs,
          maxTtlMs: taskTtlMs,
          pollIntervalMs: 100,
          maxTasksPerCaller: 10_000,
        },
        events: { logSize: 100, heartbeatMs: 5000, maxStreamsPerCaller: 10_000 },
        auth: {
          resourceUri: audience,
          authorizationServers: [issuer],
          jwt: { cacheSize: KEPT_TOKENS },
          endStreamsWithToken: true,
        },
      }),
    ],
    providers: [SoakTools, SoakBoards],
  })
  class SoakModule {}
  return SoakModule;
}
