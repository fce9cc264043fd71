/** What `init` is asked to do. */
export interface InitRequest {
  /** The file of the root module. @default `app.module.ts` in the folder of the sources */
  readonly module?: string | undefined;
  /** What the file and the class of the first tool are called after. @default 'greeting' */
  readonly name?: string | undefined;
}
