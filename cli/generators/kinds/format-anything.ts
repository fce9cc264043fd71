/** Formats a schema that accepts any result, for methods that the official client does not know. */
export function formatAnything({ withZod }: { readonly withZod: boolean }): string {
  if (withZod) {
    return `/** The client does not know this method, so it accepts any result. */
const anything = z.record(z.string(), z.unknown());`;
  }
  return `/** The client does not know this method, so it accepts any result. */
const anything = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
  },
};`;
}
