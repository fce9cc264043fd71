/** Does something the first time it is asked for, and gives what came of it ever after. */
export function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= act());
}
