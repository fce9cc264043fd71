/** How `@nestjs/throttler` limits requests. */
export interface ThrottleOptions {
  /** Methods to limit in addition to calls of handlers, such as `tools/list` and `ping`. @default [] */
  readonly methods?: readonly string[];
  /** What happens to a call if the storage fails, or does not answer within a second. @default 'admit' */
  readonly whenUnavailable?: 'admit' | 'refuse';
}
