/** What `init` is asked to do. */
export interface InitRequest {
  /** The file of the root module. @default `app.module.ts` in the folder of the sources */
  readonly module?: string | undefined;
  /** The application of a monorepo: its folder has this name. @default the one that the Nest CLI starts, or the only one */
  readonly project?: string | undefined;
  /** What the file and the class of the first tool are called after. @default 'greeting' */
  readonly name?: string | undefined;
}
