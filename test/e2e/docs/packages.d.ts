/** What the pages use of packages that are not installed here. */
declare module 'bullmq' {
  export interface ConnectionOptions {
    readonly host?: string;
    readonly port?: number;
  }

  interface JobOptions {
    readonly jobId?: string;
    readonly removeOnComplete?: boolean;
    readonly removeOnFail?: boolean;
  }

  export class Queue<Content> {
    constructor(name: string, options: { readonly connection: ConnectionOptions });
    add(name: string, content: Content, options?: JobOptions): Promise<unknown>;
    close(): Promise<void>;
  }

  interface WorkerOptions {
    readonly connection: ConnectionOptions;
    readonly concurrency?: number;
    readonly maxStalledCount?: number;
  }

  export class Worker<Content> {
    constructor(
      name: string,
      process: (job: { readonly data: Content }) => Promise<unknown>,
      options: WorkerOptions,
    );
    on(event: 'error', listener: (error: Error) => void): this;
    waitUntilReady(): Promise<unknown>;
    close(): Promise<void>;
  }
}

declare module 'vitest' {
  import type { expect as expectOfJest } from '@jest/globals';

  export { afterAll, beforeAll, describe, it } from '@jest/globals';

  /** Takes up the matchers that are added to those of Jest, as Vitest itself does. */
  export const expect: {
    <Actual>(actual: Actual): ReturnType<typeof expectOfJest> & jest.Matchers<void, Actual>;
  } & typeof expectOfJest;
}

declare module '@opentelemetry/sdk-node' {
  export class NodeSDK {
    constructor(options: { readonly serviceName: string });
    start(): void;
    shutdown(): Promise<void>;
  }
}
