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
